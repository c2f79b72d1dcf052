// Where the slots were lost in the code: instructions, what they were made from, and which of them are chosen.

const instructions = data.code.instructions;
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

/** A table of which some rows stand for instructions: `rowOf` gives an instruction's row, `pcsOf` a row's. */
function pane(name, button, head, body, rowOf, pcsOf) {
  const box = el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name}, el('table', {}, el('thead', {}, head), body));
  const marks = {chosen: new Set(), pointed: new Set()};
  const self = {button, node: el('div', {class: 'pane'}, el('h3', {}, name), box)};
  self.mark = (kind, pcs, scrolls) => {
    for (const row of marks[kind]) row.classList.remove(kind);
    marks[kind] = new Set(pcs.map(rowOf).filter(Boolean));
    for (const row of marks[kind]) row.classList.add(kind);
    const [first] = [...marks[kind]].sort((a, b) => a.rowIndex - b.rowIndex);
    if (scrolls && first && (first.offsetTop < box.scrollTop + 34 || first.offsetTop + first.offsetHeight > box.scrollTop + box.clientHeight))
      box.scrollTop = first.offsetTop - box.clientHeight / 3;
  };
  const rowAt = (event) => event.target.closest('tbody tr');
  body.addEventListener('click', (event) => { const pcs = pcsOf(rowAt(event)); if (pcs) choose(pcs, self); });
  body.addEventListener('mouseover', (event) => mark('pointed', pcsOf(rowAt(event)) || [], self));
  body.addEventListener('mouseleave', () => mark('pointed', [], self));
  box.addEventListener('keydown', (event) => {
    const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const rows = [...body.rows].filter((row) => pcsOf(row));
    const at = rows.findIndex((row) => marks.chosen.has(row));
    const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next) { choose(pcsOf(next), self); self.mark('chosen', pcsOf(next), true); }
  });
  links.panes.push(self);
  return self;
}
