// The three ledgers: a supply of slots, and where each of them went.

const SUPPLIES = {
  warp_slots: `${machine.max_warps} warps x ${counted(machine.sms, 'SM')} x ${counted(report.cycles, 'cycle')}`,
  issue_slots: `${machine.schedulers} schedulers x ${counted(report.active_cycles, 'cycle')} with a block`,
  lane_slots: `${machine.warp_size} lanes x ${counted(report.warp_instructions, 'warp instruction')}`,
};

function ledger({key, title: name, total, parts}) {
  const used = parts[0];
  const lost = parts.slice(1).filter((part) => part.slots > 0).sort((a, b) => b.slots - a.slots);
  const shown = [used, ...lost];
  const marks = [];
  const point = (index) => marks.forEach((pair, i) => pair.forEach((node) => node.classList.toggle('dim', index >= 0 && i !== index)));
  const stack = el('div', {class: 'stack', role: 'img', 'aria-label': shown.map((part) => `${part.name} ${percent(part.slots / total)}`).join(', ')});
  const legend = el('div', {class: 'legend'});
  shown.forEach((part, i) => {
    const over = {onmouseenter: () => point(i), onmouseleave: () => point(-1)};
    const piece = el('div', {...over, title: `${part.name}: ${percent(part.slots / total)}`, style: {width: 100 * part.slots / total + '%', background: colour(part.key)}});
    const gloss = (find(part.key, key, 'stalls') || {}).gloss;
    const row = el('div', over, el('span', {class: 'dot', style: {background: colour(part.key)}}),
      el('span', {}, word(part.name, part.key, key, 'stalls'), gloss && el('span', {class: 'gloss'}, '  ' + gloss)),
      el('span', {class: 'share', title: counted(part.slots, 'slot')}, percent(total ? part.slots / total : 0)));
    marks.push([piece, row]);
    stack.append(piece);
    legend.append(row);
  });
  return el('div', {class: 'ledger'}, el('div', {class: 'head'}, el('h3', {}, name), el('span', {class: 'soft num'}, `${grouped(total)} = ${SUPPLIES[key]}`)), stack, legend);
}

section('ledgers', 'Where the slots went', 'Every slot is accounted for, in integers: blue was used, the rest was lost to what is named. Point at a word for what it means.',
  ...data.ledgers.map(ledger));
