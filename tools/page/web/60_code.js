// Instructions and source beside one another, coloured by the issue slots that they lost.

const instructions = data.code.instructions;
const issueTotal = data.ledgers.find((each) => each.key === 'issue_slots').total || 1;
const lostOf = (instruction) => sum(Object.values(instruction.lost || {}));
const byPc = new Map(instructions.map((each) => [each.pc, each]));
const mostLost = Math.max(1, ...instructions.map(lostOf));
const heat = (lost, most) => lost ? `rgba(var(--hot), ${(0.06 + 0.5 * lost / most).toFixed(3)})` : '';
const greatest = (counts) => Object.entries(counts || {}).sort((a, b) => b[1] - a[1]);

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

const chosen = {pcs: new Set(), watchers: []};
function choose(pcs, line) {
  chosen.pcs = new Set(pcs);
  for (const watcher of chosen.watchers) watcher(line);
}

function bars(title, counts, total, group) {
  const entries = greatest(counts);
  return entries.length > 0 && el('div', {}, el('h3', {}, title), el('div', {class: 'legend'}, entries.map(([key, count]) =>
    el('div', {}, el('span', {class: 'dot', style: {background: colour(key)}}), word(words(key), key, group, 'stalls'), el('span', {class: 'share'}, `${grouped(count)} \u00b7 ${percent(count / total)}`)))));
}

function details() {
  const box = el('div', {class: 'detail', 'aria-live': 'polite'});
  const fill = () => {
    const picked = [...chosen.pcs].map((pc) => byPc.get(pc)).filter(Boolean);
    if (!picked.length) return box.replaceChildren(el('span', {class: 'soft'}, 'Choose an instruction or a line: what it lost, and to what, stands here.'));
    const add = (name) => picked.reduce((all, each) => {
      for (const [key, count] of Object.entries(each[name] || {})) all[key] = (all[key] || 0) + count;
      return all;
    }, {});
    const issued = sum(picked.map((each) => each.issued));
    const loads = picked.flatMap((each) => Object.entries(each.latency || {}).map(([level, of]) =>
      `${grouped(of.count)} from ${level === 'dram' ? 'DRAM' : level.toUpperCase()}: ${grouped(of.cycles / of.count)} cycles on average, ${grouped(of.longest)} at most`));
    box.replaceChildren(el('code', {}, picked.length === 1 ? `${picked[0].pc}: ${picked[0].text}` : counted(picked.length, 'instruction')),
      el('p', {}, `Issued ${counted(issued, 'time')}` + (issued ? ` with ${(sum(picked.map((each) => each.active_lanes || 0)) / issued).toFixed(1)} lanes on average` : '') +
        (loads.length ? '. Loads: ' + loads.join('; ') : '') + '.'),
      picked.length === 1 ? lanePicture(picked[0].pc) : '',
      bars('Issue slots lost before it, of all issue slots', add('lost'), issueTotal, 'issue_slots') || '',
      bars('What its warps waited for, in warp-cycles', add('stalls'), sum(Object.values(add('stalls'))) || 1, 'stalls') || '');
    return undefined;
  };
  chosen.watchers.push(fill);
  fill();
  return box;
}

function codeTable() {
  const rows = new Map();
  const row = (each) => {
    const lost = lostOf(each), first = greatest(each.lost)[0];
    const node = el('tr', {tabindex: 0, onclick: () => choose([each.pc], each.line),
      onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose([each.pc], each.line); } }},
    el('td', {class: 'soft'}, String(each.pc)), el('td', {class: 'soft'}, each.line ? String(each.line) : ''), el('td', {class: 'code', title: each.text}, each.text),
    el('td', {}, each.issued ? grouped(each.issued) : ''), el('td', {}, lost ? percent(lost / issueTotal) : ''),
    el('td', {class: 'left'}, el('span', {class: 'mini'}, el('i', {style: {width: 100 * lost / mostLost + '%', background: first ? colour(first[0]) : ''}}))),
    el('td', {class: 'left'}, first ? words(first[0]) : ''), el('td', {}, each.issued ? (each.active_lanes / each.issued).toFixed(1) : ''),
    el('td', {class: 'left'}, accessText(each)));
    node.children[2].style.backgroundColor = heat(lost, mostLost);
    rows.set(each.pc, node);
    return node;
  };
  const body = el('tbody', {}, instructions.map(row));
  const box = el('div', {class: 'scroll', tabindex: -1}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'pc'), el('th', {}, 'line'), el('th', {class: 'left'}, 'instruction'),
    el('th', {}, 'issued'), el('th', {}, 'slots lost'), el('th', {class: 'left'}, ''), el('th', {class: 'left'}, 'first to'), el('th', {}, 'lanes'), el('th', {class: 'left'}, 'access'))), body));
  chosen.watchers.push(() => {
    for (const [pc, node] of rows) node.classList.toggle('chosen', chosen.pcs.has(pc));
    const first = rows.get([...chosen.pcs][0]);
    if (!first) return;
    const gap = first.offsetTop - box.scrollTop;
    if (gap < 40 || gap > box.clientHeight - 40) box.scrollTop = first.offsetTop - box.clientHeight / 3;
  });
  const order = (by) => body.replaceChildren(...[...instructions].sort(by).map((each) => rows.get(each.pc)));
  const buttons = [['in order', (a, b) => a.pc - b.pc], ['by slots lost', (a, b) => lostOf(b) - lostOf(a) || a.pc - b.pc]].map(([name, by], i) =>
    el('button', {type: 'button', 'aria-pressed': String(i === 0), onclick: (event) => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === event.currentTarget));
      order(by);
    }}, name));
  return {tools: el('div', {class: 'tools'}, ...buttons), box};
}

function sourceTable() {
  const {lines} = data.source;
  if (!lines.length) return undefined;
  const ofLine = new Map();
  for (const each of instructions) if (each.line) ofLine.set(each.line, [...(ofLine.get(each.line) || []), each]);
  const lost = (number) => sum((ofLine.get(number) || []).map(lostOf));
  const most = Math.max(1, ...[...ofLine.keys()].map(lost));
  const rows = lines.map((text, i) => {
    const number = i + 1, of = ofLine.get(number), share = lost(number) / issueTotal;
    const pick = () => of && choose(of.map((each) => each.pc), number);
    const node = el('tr', {tabindex: of ? 0 : undefined, onclick: pick, onkeydown: (event) => { if (event.key === 'Enter') pick(); }},
      el('td', {class: 'gutter'}, String(number)), el('td', {class: 'code'}, text), el('td', {class: 'soft'}, share >= 0.0005 ? percent(share) : ''));
    node.children[1].style.backgroundColor = heat(lost(number), most);
    return node;
  });
  const box = el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'line'), el('th', {class: 'left'}, data.source.name), el('th', {}, 'lost'))), el('tbody', {}, rows)));
  chosen.watchers.push((line) => {
    rows.forEach((node, i) => node.classList.toggle('chosen', i + 1 === line));
    const node = rows[line - 1];
    if (node && (node.offsetTop < box.scrollTop + 30 || node.offsetTop > box.scrollTop + box.clientHeight - 40)) box.scrollTop = node.offsetTop - box.clientHeight / 3;
  });
  return box;
}

if (instructions.length) {
  const table = codeTable();
  section('code', 'Which instruction', 'The stronger the colour, the more issue slots were lost before it could issue. What is lost here adds up to the ledger; slots without any warp belong to no instruction.',
    table.tools, data.code.left_out > 0 && el('div', {class: 'note-bar'}, `${counted(data.code.left_out, 'instruction')} that lost the fewest slots are left out.`),
    el('div', {class: 'two'}, sourceTable(), table.box), details());
}
