// Other runs beside this one: from pages and JSON reports that the reader chooses. They are read here and go nowhere.

/** The runs of a file, each with its report and, of a page, its code: {name, report, code, sources}. */
function runsOfFile(name, text) {
  const begin = text.indexOf('id="data">');
  if (begin >= 0) {
    const from = begin + 'id="data">'.length, other = JSON.parse(text.slice(from, text.indexOf('</' + 'script>', from)));
    return [{name, report: other.report, code: other.code, sources: other.sources}];
  }
  const found = JSON.parse(text);
  const list = Array.isArray(found) ? found : found.kernels || [found];
  return list.filter((each) => each.ledgers).map((each, i) => ({name: list.length > 1 ? `${name}, run ${i + 1}` : name, report: each}));
}

const COMPARED = [
  ['Cycles', (run) => run.cycles, grouped, 'less'], ['Time', (run) => run.time_us, timeText, 'less'],
  ['Warp instructions', (run) => run.warp_instructions, grouped, 'less'],
  ['Theoretical occupancy', (run) => run.theoretical_occupancy, percent, 'more'], ['Achieved occupancy', (run) => run.achieved_occupancy, percent, 'more'],
  ['Issue efficiency', (run) => run.issue_efficiency, percent, 'more'], ['Divergence utilization', (run) => run.divergence_utilization, percent, 'more'],
  ['L1 hit rate', (run) => run.memory.l1_hit_rate, percent], ['L2 hit rate', (run) => run.memory.l2_hit_rate, percent],
  ['Read from DRAM', (run) => run.memory.dram_read_bytes, bytesText, 'less'], ['Written to DRAM', (run) => run.memory.dram_write_bytes, bytesText, 'less'],
];

/** How much more or less, in words that need no sign. */
function changeText(before, after, better) {
  if (!(before > 0) || !(after >= 0) || before === after) return '';
  const ratio = after / before, good = better && (ratio < 1) === (better === 'less');
  const text = ratio >= 2 ? `${ratio.toFixed(1)} times` : `${ratio > 1 ? '+' : '\u2212'}${(100 * Math.abs(ratio - 1)).toFixed(1)} %`;
  return el('span', {class: better ? (good ? 'good' : 'bad') : ''}, text);
}

/** What the two launches differ in. */
function differences(other) {
  const facts = ({report: run}) => ({kernel: kernelName(run), GPU: run.gpu, grid: extents(run.grid), block: extents(run.block), 'registers a thread': run.registers_per_thread,
    'shared memory a block': bytesText(run.shared_bytes_per_block), scheduler: run.scheduler,
    ...Object.fromEntries(Object.entries({...(run.provenance || {}).gpu_changes, ...(run.provenance || {}).parameters}))});
  const [before, after] = [facts(other), facts({report})];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => String(before[key]) !== String(after[key])).map((key) => [key, before[key], after[key]].map((each) => each === undefined ? '-' : String(each)));
}

/** What issue slots were lost to in both, in slots: the parts that changed most first. */
function slotChanges(other) {
  const [before, after] = [other.report.ledgers.issue_slots, report.ledgers.issue_slots];
  return Object.keys(after).filter((key) => key !== 'total' && (before[key] || after[key]))
    .map((key) => ({key, before: before[key] || 0, after: after[key]})).sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
}

/** Issue slots lost by line of the first source, of lines with the same text: by text and by how often it stood before. */
function lostByText({code, sources}) {
  const all = new Map(), [source] = sources || [];
  if (!source) return all;
  const slots = new Map();
  for (const each of code.instructions) {
    const key = ((each.places || [])[0] || []).join(':');
    slots.set(key, (slots.get(key) || 0) + lostOf(each));
  }
  const seen = new Map();
  source.files.forEach((file, i) => file && file.lines.forEach((text, k) => {
    const plain = text.trim(), lost = slots.get(`${i}:${file.first + k}`);
    if (lost === undefined) return;
    seen.set(plain, (seen.get(plain) || 0) + 1);
    all.set(`${plain}\n${seen.get(plain)}`, {text: plain, line: file.first + k, lost});
  }));
  return all;
}

function lineChanges(other) {
  if (!other.code) return [];
  const [before, after] = [lostByText(other), lostByText(data)];
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => ({text: (after.get(key) || before.get(key)).text,
    line: after.has(key) ? String(after.get(key).line) : '-', before: (before.get(key) || {lost: 0}).lost, after: (after.get(key) || {lost: 0}).lost}))
    .filter((each) => each.before !== each.after).sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before)).slice(0, 20);
}

function comparison(other) {
  const MOST_PARTS = 10;
  const unlike = differences(other), lines = lineChanges(other), more = (before, after) => (after > before ? '+' : after < before ? '\u2212' : '') + short(Math.abs(after - before));
  return [el('h3', {}, `${other.name} before, this run after`),
    unlike.length > 0 && plainTable(['what differs', 'before', 'after'], unlike),
    plainTable(['figure', 'before', 'after', 'change'], COMPARED.map(([name, of, text, better]) => {
      const [before, after] = [of(other.report), of(report)];
      return [name, before === null || before === undefined ? '-' : text(before), after === null || after === undefined ? '-' : text(after), changeText(before, after, better)];
    })),
    plainTable(['issue slots', 'before', 'after', 'change'], slotChanges(other).slice(0, MOST_PARTS).map(({key, before, after}) => [word(words(key), key, 'issue_slots', 'stalls'), grouped(before), grouped(after), more(before, after)])),
    lines.length > 0 && plainTable(['line', 'slots lost before', 'after', 'change'], lines.map(({text, line, before, after}) => [el('code', {}, `${line}  ${text}`), grouped(before), grouped(after), more(before, after)]))].filter(Boolean);
}

function besides() {
  const runs = otherLaunches(data), list = el('div', {}), shown = el('div', {class: 'compared', 'aria-live': 'polite'}), trouble = el('div', {role: 'alert'});
  const show = (i) => shown.replaceChildren(...comparison(runs[i]));
  const row = ({name, report: run}) => [name, kernelName(run).slice(0, 60), grouped(run.cycles), timeText(run.time_us), grouped(run.warp_instructions), percent(run.achieved_occupancy), percent(run.issue_efficiency), percent(run.divergence_utilization)];
  async function read(files) {
    const wrong = [];
    for (const file of files) {
      try {
        const found = runsOfFile(file.name, await file.text());
        if (!found.length) throw new Error('no run');
        runs.push(...found);
      } catch (error) {
        wrong.push(file.name);
      }
    }
    trouble.replaceChildren(...wrong.length ? [el('div', {class: 'note-bar'}, `Neither a page nor a JSON report of heddle run: ${wrong.join(', ')}`)] : []);
    if (!runs.length) return;
    listRuns();
    show(runs.length - 1);
  }
  function listRuns() {
    list.replaceChildren(plainTable(['run', 'kernel', 'cycles', 'time', 'warp instructions', 'achieved occupancy', 'issue efficiency', 'lanes'], [...runs.map(row), row({name: 'this run', report})],
      (i) => { if (i < runs.length) show(i); }));
  }
  if (runs.length) listRuns();
  const chooser = el('input', {type: 'file', multiple: true, accept: '.html,.json', 'aria-label': 'Pages or JSON reports of other runs', onchange: (event) => read([...event.target.files])});
  return [el('div', {class: 'tools'}, chooser), trouble, list, shown];
}

section('beside', 'Other runs', 'Choose pages or JSON reports of other runs, as many as you like (heddle run --html or --format json; heddle exec --report): they are listed, and a click compares one with this run. The files stay on this machine.', ...besides());
