// Which cycles the pictures over time show: one range for all of them.

const allCycles = report.cycles;
const view = {from: 0, until: allCycles, watchers: []};
const LEAST_CYCLES = 16;

function setView(from, until) {
  const width = Math.min(Math.max(until - from, Math.min(LEAST_CYCLES, allCycles)), allCycles);
  view.from = Math.max(0, Math.min(Math.round(from), allCycles - width));
  view.until = view.from + Math.round(width);
  for (const watcher of view.watchers) watcher();
}
const wholeView = () => setView(0, allCycles);
function zoom(factor, at = (view.from + view.until) / 2) {
  const width = (view.until - view.from) * factor;
  const share = (at - view.from) / (view.until - view.from);
  setView(at - share * width, at + (1 - share) * width);
}
function move(share) {
  const width = view.until - view.from;
  const from = Math.max(0, Math.min(view.from + share * width, allCycles - width));
  setView(from, from + width);
}

const viewKeys = {
  '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), '0': wholeView, ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25),
};

/** Lets a picture choose the range: by dragging, by keys, by Ctrl and the wheel. `cycleAt` is of a place in it. */
function chooses(node, cycleAt, marked) {
  let start;
  const inNode = (event) => event.clientX - node.getBoundingClientRect().left;
  node.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    start = inNode(event);
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener('pointermove', (event) => { if (start !== undefined) marked(start, inNode(event)); });
  node.addEventListener('pointerup', (event) => {
    if (start === undefined) return;
    const [low, high] = [start, inNode(event)].sort((a, b) => a - b);
    start = undefined;
    marked();
    if (high - low > 5) setView(cycleAt(low), cycleAt(high));
  });
  node.addEventListener('dblclick', wholeView);
  node.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.4 : 1 / 1.4, cycleAt(inNode(event)));
  }, {passive: false});
  node.addEventListener('keydown', (event) => {
    const act = viewKeys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}

/** Marks cycles along the upper edge of a picture whose time runs from `left` over `room` pixels. */
function drawRuler(pen, left, room) {
  const x = (cycle) => left + (cycle - view.from) / (view.until - view.from) * room;
  pen.font = '11px ' + css('--sans');
  pen.fillStyle = css('--soft');
  const stepX = Math.max(1, step(view.until - view.from, Math.max(2, room / 90)));
  for (let cycle = Math.ceil(view.from / stepX) * stepX; cycle <= view.until; cycle += stepX) {
    pen.textAlign = x(cycle) > left + room - 24 ? 'right' : x(cycle) < 24 ? 'left' : 'center';
    pen.fillText(grouped(cycle), Math.min(x(cycle), left + room), 12);
    pen.fillRect(x(cycle), 16, 1, 4);
  }
}

function viewTools() {
  const reading = el('span', {class: 'reading num', 'aria-live': 'polite'});
  const say = () => { reading.textContent = `cycles ${grouped(view.from)} to ${grouped(view.until)}`; };
  view.watchers.push(say);
  say();
  const button = (text, name, act) => el('button', {type: 'button', 'aria-label': name, title: name, onclick: act}, text);
  return el('div', {class: 'tools'}, button('\u2212', 'Zoom out (-)', () => zoom(2)), button('+', 'Zoom in (+)', () => zoom(0.5)),
    button('\u2190', 'Earlier (left)', () => move(-0.25)), button('\u2192', 'Later (right)', () => move(0.25)),
    button('whole run', 'Whole run (0)', wholeView), reading);
}
