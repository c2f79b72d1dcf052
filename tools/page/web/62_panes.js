// CUDA C++, PTX and instructions beside one another, coloured by the issue slots that they lost, and linked.

const LEVEL_NAMES = {cuda: 'CUDA C++', ptx: 'PTX', ir: 'Source'};

/** The share that was lost, as a number and as a bar. */
function lostCells(lost, counts, most) {
  return [el('td', {}, lost / issueTotal >= 0.0005 ? percent(lost / issueTotal) : ''), el('td', {}, lost > 0 && lostBar(lost, counts, most))];
}

/** The rows of one file: its lines, and numbers alone where the text is not there. */
function fileRows({name, first, lines, left_out: leftOut}, standing, several, row) {
  const numbers = [...standing.keys()].sort((a, b) => a - b);
  const last = first + lines.length - 1;
  const note = (text) => el('tr', {class: 'note'}, el('td', {}), el('td', {class: 'left', colspan: 3}, text));
  const before = first > 1 && lines.length ? note(`lines 1 to ${grouped(first - 1)} have nothing of this kernel`) : undefined;
  const after = lines.length && leftOut > first - 1 ? note(`${counted(leftOut - first + 1, 'line')} after these are left out`) : undefined;
  return [several ? el('tr', {class: 'file'}, el('td', {}), el('td', {class: 'left', colspan: 3, title: name}, name.split('/').pop())) : undefined, before,
    ...numbers.filter((number) => number < first && lines.length).map((number) => row(number, '')),
    ...lines.map((text, i) => row(first + i, text)), after,
    ...numbers.filter((number) => !lines.length || number > last).map((number) => row(number, lines.length ? '' : '(the text of this file is not there)'))].filter(Boolean);
}

function sourcePane({level, files}, index) {
  const standing = files.map(() => new Map());
  for (const each of instructions) {
    const [file, line] = (each.places || [])[index] || [];
    if (line) standing[file].set(line, [...(standing[file].get(line) || []), each]);
  }
  const lost = (list) => sum((list || []).map(lostOf));
  const most = Math.max(1, ...standing.flatMap((lines) => [...lines.values()].map(lost)));
  const rows = files.map(() => new Map()), pcs = new WeakMap();
  const used = files.map((file, i) => [file, i]).filter(([file]) => file);
  const body = el('tbody', {}, used.flatMap(([file, i]) => fileRows(file, standing[i], used.length > 1, (number, text) => {
    const list = standing[i].get(number), slots = lost(list);
    const node = el('tr', {class: list ? undefined : 'plain'}, el('td', {class: 'gutter'}, String(number)), ...lostCells(slots, list ? together(list, 'lost') : {}, most),
      el('td', {class: 'code', title: text.length > 50 ? text : undefined}, text));
    node.lastChild.style.backgroundColor = heat(slots, most);
    rows[i].set(number, node);
    if (list) pcs.set(node, list.map((each) => each.pc));
    return node;
  })));
  const name = used.length === 1 ? `${LEVEL_NAMES[level]}: ${used[0][0].name.split('/').pop()}` : LEVEL_NAMES[level];
  const head = el('tr', {}, el('th', {}, 'line'), el('th', {}, 'lost'), el('th', {}, ''), el('th', {class: 'left'}, 'text'));
  return pane(name, LEVEL_NAMES[level], head, body, (pc) => {
    const [file, line] = ((byPc.get(pc) || {}).places || [])[index] || [];
    return line && rows[file].get(line);
  }, (row) => row && pcs.get(row));
}

function instructionPane() {
  const most = Math.max(1, ...instructions.map(lostOf));
  const rows = new Map(), pcs = new WeakMap();
  for (const each of instructions) {
    const lost = lostOf(each), [first] = greatest(each.lost);
    const node = el('tr', {}, el('td', {class: 'gutter'}, String(each.pc)), ...lostCells(lost, each.lost, most), el('td', {class: 'code', title: each.text}, each.text),
      el('td', {class: 'left'}, first ? words(first[0]) : ''),
      el('td', {}, each.issued ? grouped(each.issued) : ''), el('td', {}, each.issued ? (each.active_lanes / each.issued).toFixed(1) : ''), el('td', {class: 'left'}, accessText(each)));
    node.children[3].style.backgroundColor = heat(lost, most);
    rows.set(each.pc, node);
    pcs.set(node, [each.pc]);
  }
  const body = el('tbody', {}, [...rows.values()]);
  const head = el('tr', {}, el('th', {}, 'pc'), el('th', {}, 'lost'), el('th', {}, ''), el('th', {class: 'left'}, 'instruction'), el('th', {class: 'left'}, 'first to'),
    el('th', {}, 'issued'), el('th', {}, 'lanes'), el('th', {class: 'left'}, 'access'));
  const made = pane('Instructions', 'Instructions', head, body, (pc) => rows.get(pc), (row) => row && pcs.get(row));
  made.order = (by) => body.replaceChildren(...[...instructions].sort(by).map((each) => rows.get(each.pc)));
  return made;
}

/** Buttons of which one is pressed. */
function choice(entries, act) {
  const buttons = entries.map(([name, value], i) => el('button', {type: 'button', 'aria-pressed': String(i === 0), onclick: (event) => {
    for (const each of buttons) each.setAttribute('aria-pressed', String(each === event.currentTarget));
    act(value);
  }}, name));
  return buttons;
}

function codePanes() {
  const sources = (data.sources || []).map(sourcePane).filter((each) => each.node.querySelector('tbody tr'));
  const table = instructionPane(), all = [...sources, table];
  const shows = all.length > 1 && all.map((each) => el('button', {type: 'button', 'aria-pressed': 'true', onclick: (event) => {
    each.node.hidden = !each.node.hidden;
    event.currentTarget.setAttribute('aria-pressed', String(!each.node.hidden));
  }}, each.button));
  const order = choice([['in order', (a, b) => a.pc - b.pc], ['by slots lost', (a, b) => lostOf(b) - lostOf(a) || a.pc - b.pc]], table.order);
  return [el('div', {class: 'tools'}, shows && el('span', {class: 'soft'}, 'Show'), shows, el('span', {class: 'soft'}, 'Instructions'), order),
    data.code.left_out > 0 && el('div', {class: 'note-bar'}, `${counted(data.code.left_out, 'instruction')} that lost the fewest slots are left out.`),
    el('div', {class: 'panes'}, all.map((each) => each.node))];
}
