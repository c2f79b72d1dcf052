// Where the slots were lost in the code: instructions, what they were made from, and which of them are chosen.

const instructions = data.code ? data.code.instructions : [];
const issueTotal = data.ledgers.find((each) => each.key === 'issue_slots').total || 1;
const lostOf = (instruction) => sum(Object.values(instruction.lost || {}));
const byPc = new Map(instructions.map((each) => [each.pc, each]));
const heat = (lost, most) => lost ? `rgba(var(--hot), ${(0.06 + 0.5 * lost / most).toFixed(3)})` : '';
const greatest = (counts) => Object.entries(counts || {}).sort((a, b) => b[1] - a[1]);

/** The counts of one kind of all these instructions together. */
function together(list, name) {
  const all = {};
  for (const each of list) for (const [key, count] of Object.entries(each[name] || {})) all[key] = (all[key] || 0) + count;
  return all;
}

/** What an access did: sectors a request, or passes over the banks. */
function accessText({memory}) {
  if (!memory) return '';
  const texts = [];
  for (const space of ['global_load', 'global_store', 'global_atomic', 'local_load', 'local_store']) {
    const requests = memory[space + '_requests'];
    if (requests) texts.push((memory[space + '_sectors'] / requests).toFixed(1) + ' sectors');
  }
  for (const space of ['shared_load', 'shared_store', 'shared_atomic']) {
    const requests = memory[space + '_requests'];
    if (requests) texts.push(((memory[space + '_passes'] || 0) / requests).toFixed(1) + ' passes');
  }
  return texts.join(', ');
}

/** A bar as long as its share of the most, in the colour of what most was lost to. */
function lostBar(lost, counts, most) {
  const [first] = greatest(counts);
  return el('span', {class: 'mini', title: first ? `first to ${words(first[0])}` : ''},
    el('i', {style: {width: 100 * lost / most + '%', background: first ? colour(first[0]) : ''}}));
}

// -- what is chosen by a click and pointed at by the mouse: the same in all panes ------------------------------

const links = {panes: [], watchers: [], chosen: []};
function mark(kind, pcs, from) {
  for (const pane of links.panes) pane.mark(kind, pcs, kind === 'chosen' && pane !== from);
}
/** Chooses instructions; `from` is the pane where it was done, which does not move. */
function choose(pcs, from) {
  links.chosen = pcs;
  mark('chosen', pcs, from);
  for (const watcher of links.watchers) watcher(pcs);
}

/** Calls act() once in the next frame, however often it is asked to before. */
function inFrame(act) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; act(); });
  };
}

const ROW_HEIGHT = 21, MOST_WHOLE_ROWS = 300, ROWS_AROUND = 30, BOX_HEIGHT = 460;

/** A table of items: `make` gives an item's row, `pcs` the instructions that it stands for, if any; `itemOf` is of an instruction.
    Of a long table only the rows in sight are there. */
function pane(name, button, head, items, itemOf) {
  const body = el('tbody', {}), rows = new Map(), itemOfRow = new WeakMap();
  const box = el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name}, el('table', {}, el('thead', {}, head), body));
  const marks = {chosen: new Set(), pointed: new Set()};
  const isWhole = items.length <= MOST_WHOLE_ROWS;
  let list = items;
  const self = {button, node: el('div', {class: 'pane'}, el('h3', {title: name}, name), box)};

  function rowOf(item) {
    if (rows.has(item)) return rows.get(item);
    const row = item.make();
    for (const [kind, marked] of Object.entries(marks)) row.classList.toggle(kind, marked.has(item));
    rows.set(item, row);
    itemOfRow.set(row, item);
    return row;
  }
  const space = (count) => el('tr', {class: 'note', style: {height: count * ROW_HEIGHT + 'px'}});
  function render() {
    if (isWhole) return body.replaceChildren(...list.map(rowOf));
    const first = Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const last = Math.min(list.length, first + Math.ceil(BOX_HEIGHT / ROW_HEIGHT) + 2 * ROWS_AROUND);
    return body.replaceChildren(space(first), ...list.slice(first, last).map(rowOf), space(list.length - last));
  }
  function scrollTo(item) {
    const top = isWhole ? rowOf(item).offsetTop : list.indexOf(item) * ROW_HEIGHT + 30;
    if (top < box.scrollTop + 34 || top + ROW_HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
    if (!isWhole) render();
  }
  self.mark = (kind, pcs, scrolls) => {
    for (const item of marks[kind]) if (rows.has(item)) rows.get(item).classList.remove(kind);
    marks[kind] = new Set(pcs.map(itemOf).filter(Boolean));
    for (const item of marks[kind]) if (rows.has(item)) rows.get(item).classList.add(kind);
    const [first] = marks[kind];
    if (scrolls && first) scrollTo(first);
  };
  self.order = (by) => {
    list = [...items].sort(by);
    render();
  };
  const pcsAt = (event) => {
    const item = itemOfRow.get(event.target.closest('tbody tr'));
    return item && item.pcs;
  };
  body.addEventListener('click', (event) => { if (pcsAt(event)) choose(pcsAt(event), self); });
  body.addEventListener('mouseover', (event) => mark('pointed', pcsAt(event) || [], self));
  body.addEventListener('mouseleave', () => mark('pointed', [], self));
  if (!isWhole) box.addEventListener('scroll', inFrame(render), {passive: true});
  box.addEventListener('keydown', (event) => {
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const stops = list.filter((item) => item.pcs), at = stops.findIndex((item) => marks.chosen.has(item));
    const next = stops[at < 0 ? 0 : Math.max(0, Math.min(stops.length - 1, at + by))];
    if (next) { choose(next.pcs, self); scrollTo(next); }
  });
  render();
  links.panes.push(self);
  return self;
}
