// CUDA C++, PTX and instructions beside one another, coloured by the issue slots that they lost, and linked.

const LEVEL_NAMES = {cuda: 'CUDA C++', ptx: 'PTX', ir: 'Source'};

/** The share that was lost, as a number and as a bar. */
function lostCells(lost, counts, most) {
  return [el('td', {}, lost / issueTotal >= 0.0005 ? percent(lost / issueTotal) : ''), el('td', {}, lost > 0 && lostBar(lost, counts, most))];
}

/** The items of one file: its lines, and numbers alone where the text is not there. */
function fileItems({name, first, lines, left_out: leftOut}, standing, several, item) {
  const numbers = [...standing.keys()].sort((a, b) => a - b), last = first + lines.length - 1;
  const note = (text, kind = 'note', title) => ({make: () => el('tr', {class: kind}, el('td', {}), el('td', {class: 'left', colspan: 3, title}, text))});
  const items = several ? [note(name.split('/').pop(), 'file', name)] : [];
  if (!lines.length) return [...items, ...numbers.map((number) => item(number, '(the text of this file is not there)'))];
  if (first > 1) items.push(note(`lines 1 to ${grouped(first - 1)} have nothing of this kernel`));
  items.push(...lines.map((text, i) => item(first + i, text)));
  if (leftOut > first - 1) items.push(note(`${counted(leftOut - first + 1, 'line')} after these are left out`));
  return [...items, ...numbers.filter((number) => number > last).map((number) => item(number, ''))];
}

function sourcePane({level, files}, index) {
  const standing = files.map(() => new Map());
  for (const each of instructions) {
    const [file, line] = (each.places || [])[index] || [];
    if (!line) continue;
    if (!standing[file].has(line)) standing[file].set(line, []);
    standing[file].get(line).push(each);
  }
  const lost = (list) => sum((list || []).map(lostOf));
  const most = Math.max(1, ...standing.flatMap((lines) => [...lines.values()].map(lost)));
  const found = files.map(() => new Map());
  const used = files.map((file, i) => [file, i]).filter(([file]) => file);
  const items = used.flatMap(([file, i]) => fileItems(file, standing[i], used.length > 1, (number, text) => {
    const list = standing[i].get(number), slots = lost(list);
    const item = {pcs: list && list.map((each) => each.pc), make: () => el('tr', {class: list ? undefined : 'plain'}, el('td', {class: 'gutter'}, String(number)),
      ...lostCells(slots, list ? together(list, 'lost') : {}, most), el('td', {class: 'code', title: text.length > 50 ? text : undefined, style: {backgroundColor: heat(slots, most)}}, text))};
    found[i].set(number, item);
    return item;
  }));
  const name = used.length === 1 ? `${LEVEL_NAMES[level]}: ${used[0][0].name.split('/').pop()}` : LEVEL_NAMES[level];
  const head = el('tr', {}, el('th', {}, 'line'), el('th', {}, 'lost'), el('th', {}, ''), el('th', {class: 'left'}, 'text'));
  return pane(name, LEVEL_NAMES[level], head, items, (pc) => {
    const [file, line] = ((byPc.get(pc) || {}).places || [])[index] || [];
    return line && found[file].get(line);
  });
}

function instructionRow(each, most) {
  const lost = lostOf(each), [first] = greatest(each.lost);
  return el('tr', {}, el('td', {class: 'gutter'}, String(each.pc)), ...lostCells(lost, each.lost, most),
    el('td', {class: 'code', title: each.text, style: {backgroundColor: heat(lost, most)}}, each.text), el('td', {class: 'left'}, first ? words(first[0]) : ''),
    el('td', {}, each.issued ? grouped(each.issued) : ''), el('td', {}, each.issued ? (each.active_lanes / each.issued).toFixed(1) : ''), el('td', {class: 'left'}, accessText(each)));
}

function instructionPane() {
  const most = instructions.reduce((all, each) => Math.max(all, lostOf(each)), 1);
  const items = instructions.map((each) => ({pcs: [each.pc], lost: lostOf(each), make: () => instructionRow(each, most)}));
  const found = new Map(items.map((item) => [item.pcs[0], item]));
  const head = el('tr', {}, el('th', {}, 'pc'), el('th', {}, 'lost'), el('th', {}, ''), el('th', {class: 'left'}, 'instruction'), el('th', {class: 'left'}, 'first to'),
    el('th', {}, 'issued'), el('th', {}, 'lanes'), el('th', {class: 'left'}, 'access'));
  return pane('Instructions', 'Instructions', head, items, (pc) => found.get(pc));
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
  const sources = (data.sources || []).map((each, i) => each.files.some(Boolean) && sourcePane(each, i)).filter(Boolean);
  const table = instructionPane(), all = [...sources, table];
  const shows = all.length > 1 && all.map((each) => el('button', {type: 'button', 'aria-pressed': 'true', onclick: (event) => {
    each.node.hidden = !each.node.hidden;
    event.currentTarget.setAttribute('aria-pressed', String(!each.node.hidden));
  }}, each.button));
  const order = choice([['in order', (a, b) => a.pcs[0] - b.pcs[0]], ['by slots lost', (a, b) => b.lost - a.lost || a.pcs[0] - b.pcs[0]]], table.order);
  return [el('div', {class: 'tools'}, shows && el('span', {class: 'soft'}, 'Show'), shows, el('span', {class: 'soft'}, 'Instructions'), order),
    data.code.left_out > 0 && el('div', {class: 'note-bar'}, `${counted(data.code.left_out, 'instruction')} that lost the fewest slots are left out.`),
    el('div', {class: 'panes'}, all.map((each) => each.node))];
}
