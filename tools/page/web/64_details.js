// What the chosen instructions lost, to what, and what their accesses did.

function bars(title, counts, total, group) {
  const entries = greatest(counts);
  return entries.length > 0 && el('div', {}, el('h3', {}, title), el('div', {class: 'legend'}, entries.map(([key, count]) =>
    el('div', {}, el('span', {class: 'dot', style: {background: colour(key)}}), word(words(key), key, group, 'stalls'), el('span', {class: 'share'}, `${grouped(count)} \u00b7 ${percent(count / total)}`)))));
}

/** From which level loads came, and how long they took. */
function loadsText(list) {
  const levels = new Map();
  for (const each of list) {
    for (const [level, {count, cycles, longest}] of Object.entries(each.latency || {})) {
      const of = levels.get(level) || {count: 0, cycles: 0, longest: 0};
      levels.set(level, {count: of.count + count, cycles: of.cycles + cycles, longest: Math.max(of.longest, longest)});
    }
  }
  return [...levels].map(([level, of]) =>
    `${grouped(of.count)} from ${level === 'dram' ? 'DRAM' : level.toUpperCase()} (${grouped(of.cycles / of.count)} cycles on average, ${grouped(of.longest)} at most)`).join(', ');
}

function detailNodes(picked) {
  const MOST_PICTURES = 3;
  const issued = sum(picked.map((each) => each.issued)), lanes = sum(picked.map((each) => each.active_lanes || 0)), loads = loadsText(picked);
  const name = picked.length === 1 ? [el('code', {}, `${picked[0].pc}: ${picked[0].text}`)]
    : [`${counted(picked.length, 'instruction')}, pc ${picked.slice(0, 12).map((each) => each.pc).join(', ')}${picked.length > 12 ? ' \u2026' : ''}`];
  const stalls = together(picked, 'stalls');
  return [el('h3', {class: 'name'}, ...name),
    el('p', {}, `Issued ${counted(issued, 'time')}` + (issued ? ` with ${(lanes / issued).toFixed(1)} lanes on average.` : '.') + (loads ? ` Loads: ${loads}.` : '')),
    ...picked.filter((each) => accesses.has(each.pc)).slice(0, MOST_PICTURES).map((each) => lanePicture(each.pc)),
    bars('Issue slots lost before it, of all issue slots', together(picked, 'lost'), issueTotal, 'issue_slots'),
    bars('What its warps waited for, in warp-cycles', stalls, sum(Object.values(stalls)) || 1, 'stalls')].filter(Boolean);
}

function details() {
  const box = el('div', {class: 'detail', 'aria-live': 'polite'});
  const fill = (pcs) => {
    const picked = pcs.map((pc) => byPc.get(pc)).filter(Boolean);
    box.replaceChildren(...picked.length ? detailNodes(picked) : [el('span', {class: 'soft'}, 'Click a line: what it lost, and to what, stands here.')]);
  };
  links.watchers.push(fill);
  fill([]);
  return box;
}
