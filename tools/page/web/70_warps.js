// The warps of one SM: what each issued or waited for, from the whole run down to single cycles.

const watched = data.watched || {slots: []};
const NOTHING = 0, ISSUED = 1, FIRST_STALL = 2;
const stateKey = (state) => state === ISSUED ? 'issued' : stallNames[state - FIRST_STALL].key;

/** The pieces of a slot as columns, with where each begins. */
function unpacked({slot, pieces}) {
  const count = (pieces.length - 1) / 3;
  const of = {slot, from: new Float64Array(count), until: new Float64Array(count), state: new Uint8Array(count), pc: new Uint32Array(count)};
  let at = pieces[0];
  for (let i = 0; i < count; ++i) {
    of.from[i] = at;
    at += pieces[1 + 3 * i];
    of.until[i] = at;
    of.state[i] = pieces[2 + 3 * i];
    of.pc[i] = pieces[3 + 3 * i];
  }
  return of;
}

/** The first piece that ends after the cycle. */
function pieceAt(of, cycle) {
  let low = 0, high = of.until.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of.until[middle] <= cycle) low = middle + 1; else high = middle;
  }
  return low;
}

function warpPicture() {
  const {schedulers} = machine;
  const slots = watched.slots.map(unpacked).sort((a, b) => a.slot % schedulers - b.slot % schedulers || a.slot - b.slot);
  const stays = new Map();
  for (const stay of watched.stays) stays.set(stay[0], [...(stays.get(stay[0]) || []), stay]);
  const rowHeight = Math.max(6, Math.min(16, Math.floor(620 / slots.length))), gap = 14, margin = 52, ruler = 20;
  const tops = [];
  let height = ruler;
  slots.forEach((of, i) => {
    if (i === 0 || of.slot % schedulers !== slots[i - 1].slot % schedulers) height += gap;
    tops.push(height);
    height += rowHeight;
  });
  const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': `Warps of SM ${watched.sm} over time`});
  const seen = new Set();
  for (const of of slots) of.state.forEach((state) => seen.add(state));

  const room = () => Math.max(80, widthOf(canvas) - margin);
  const cycleAt = (place) => view.from + Math.max(0, Math.min((place - margin) / room(), 1)) * (view.until - view.from);
  const x = (cycle) => margin + (cycle - view.from) / (view.until - view.from) * room();

  /** Of pieces that are narrower than a pixel, the state that fills most of it. */
  function drawRow(pen, of, top) {
    const scale = room() / (view.until - view.from);
    let i = pieceAt(of, view.from);
    while (i < of.from.length && of.from[i] < view.until) {
      const left = x(Math.max(of.from[i], view.from)), right = x(Math.min(of.until[i], view.until));
      if (right - left >= 1) {
        if (of.state[i] !== NOTHING) {
          pen.fillStyle = colour(stateKey(of.state[i]));
          pen.fillRect(left, top, right - left - (scale > 6 ? 1 : 0), rowHeight - 1);
        }
        ++i;
        continue;
      }
      const end = view.from + (Math.floor(left) + 1 - margin) / scale, share = new Map();
      for (; i < of.from.length && of.from[i] < end && (of.until[i] - of.from[i]) * scale < 1; ++i)
        share.set(of.state[i], (share.get(of.state[i]) || 0) + of.until[i] - of.from[i]);
      if (share.size === 0) { ++i; continue; }
      const [state] = [...share].sort((a, b) => b[1] - a[1])[0];
      if (state !== NOTHING) {
        pen.fillStyle = colour(stateKey(state));
        pen.fillRect(Math.floor(left), top, 1, rowHeight - 1);
      }
    }
  }
  function drawBlocks(pen, of, top) {
    pen.fillStyle = css('--ink');
    for (const [, , , from, until] of stays.get(of.slot) || []) {
      for (const cycle of [from, until]) if (cycle > view.from && cycle < view.until) pen.fillRect(x(cycle) - 0.5, top - 1, 1, rowHeight + 1);
    }
  }
  function draw(marked) {
    const ratio = devicePixelRatio || 1, width = margin + room();
    canvas.style.height = height + 'px';
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    drawRuler(pen, margin, room());
    slots.forEach((of, i) => {
      pen.fillStyle = css('--card');
      pen.fillRect(margin, tops[i], width - margin, rowHeight - 1);
      drawRow(pen, of, tops[i]);
      drawBlocks(pen, of, tops[i]);
      pen.fillStyle = css('--soft');
      pen.textAlign = 'left';
      pen.font = '11px ' + css('--sans');
      if (i === 0 || of.slot % schedulers !== slots[i - 1].slot % schedulers) pen.fillText('scheduler ' + of.slot % schedulers, 0, tops[i] - 3);
      pen.textAlign = 'right';
      if (rowHeight >= 10) pen.fillText(of.slot, margin - 8, tops[i] + rowHeight - 4);
    });
    if (Array.isArray(marked)) {
      pen.fillStyle = 'rgba(127, 140, 160, .3)';
      pen.fillRect(Math.min(...marked), ruler, Math.abs(marked[1] - marked[0]), height - ruler);
    }
  }
  function tell(event) {
    const box = canvas.getBoundingClientRect();
    const row = tops.findIndex((top) => event.clientY - box.top >= top && event.clientY - box.top < top + rowHeight);
    if (row < 0) return hideTip();
    const of = slots[row], cycle = cycleAt(event.clientX - box.left), i = pieceAt(of, cycle);
    const stay = (stays.get(of.slot) || []).find(([, , , from, until]) => cycle >= from && cycle < until);
    const where = stay ? `block ${grouped(stay[1])}, warp ${stay[2]}` : 'no warp';
    const lines = [el('b', {}, `Slot ${of.slot}: ${where}`)];
    if (i < of.from.length && of.from[i] <= cycle && of.state[i] !== NOTHING) {
      const is = of.state[i] === ISSUED, stall = stallNames[of.state[i] - FIRST_STALL];
      lines.push(el('p', {}, is ? `cycle ${grouped(of.from[i])}: issued` : `cycles ${grouped(of.from[i])} to ${grouped(of.until[i] - 1)}: waits for ${stall.summary} (${words(stall.key)})`),
        el('p', {class: 'also'}, `${of.pc[i]}: ${(byPc.get(of.pc[i]) || {text: '?'}).text}`));
    }
    return showTip({left: event.clientX + 12, top: event.clientY - 4, bottom: event.clientY + 4}, ...lines);
  }
  canvas.addEventListener('pointermove', tell);
  canvas.addEventListener('pointerleave', hideTip);
  canvas.addEventListener('click', (event) => {
    const box = canvas.getBoundingClientRect();
    const row = tops.findIndex((top) => event.clientY - box.top >= top && event.clientY - box.top < top + rowHeight);
    if (row < 0) return;
    const i = pieceAt(slots[row], cycleAt(event.clientX - box.left));
    const instruction = byPc.get(slots[row].pc[i]);
    if (instruction && slots[row].state[i] !== NOTHING) choose([instruction.pc]);
  });
  chooses(canvas, cycleAt, (from, until) => draw(from === undefined ? undefined : [from, until]));
  view.watchers.push(() => draw());
  const states = [...seen].filter((state) => state !== NOTHING).sort((a, b) => a - b);
  const key = el('div', {class: 'key'}, states.map((state) => el('span', {}, el('span', {class: 'dot', style: {background: colour(stateKey(state))}}), word(words(stateKey(state)), stateKey(state), 'stalls', 'issue_slots'))));
  return [viewTools(), drawn(canvas, () => draw()), key];
}

if (watched.slots.length) {
  section('warps', `Warps of SM ${watched.sm}`, 'A row for each warp slot, by scheduler; dark lines are where a block starts or ends. Point at a piece for the instruction, click it to find it in the code.',
    watched.every > 1 && el('div', {class: 'note-bar'}, `The run is long: of each ${grouped(watched.every * watched.stretch)} cycles the first ${grouped(watched.stretch)} are shown.`),
    watched.stays_left_out > 0 && el('div', {class: 'note-bar'}, `${counted(watched.stays_left_out, 'warp')} of this SM came later and are not named.`), ...warpPicture());
}
