// The page of two runs that heddle diff has compared: its tables.

const MOST_DIFFERENT = 40;

/** A change as a bar: to the left of the middle is less, to the right more. */
function changeBar(change, most) {
  const share = most > 0 ? 50 * Math.min(1, Math.abs(change) / most) : 0;
  return el('span', {class: 'swing', 'aria-hidden': 'true'}, el('i', {style: {left: (change < 0 ? 50 - share : 50) + '%', width: share + '%', background: change < 0 ? 'var(--good)' : 'var(--lost)'}}));
}

const signed = (number, digits) => number === 0 ? '' : (number > 0 ? '+' : '\u2212') + Math.abs(number).toLocaleString('en-US', {minimumFractionDigits: digits, maximumFractionDigits: digits});
const fixed = (number, digits) => number.toLocaleString('en-US', {minimumFractionDigits: digits, maximumFractionDigits: digits});

/** Cycles are slots by schedulers; of samples slots are all that is known. */
function changesTable(heads, entries, [perBefore, perAfter], digits) {
  const rows = entries.map(({name, before, after, more}) => ({name, more, before: before / perBefore, after: after / perAfter})).map((each) => ({...each, change: each.after - each.before}));
  rows.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const most = rows.length ? Math.abs(rows[0].change) : 0;
  const shown = rows.filter(({change}) => change !== 0).slice(0, MOST_DIFFERENT);
  return [plainTable(heads, shown.map(({name, before, after, change, more}) => [name, fixed(before, digits), fixed(after, digits), signed(change, digits), changeBar(change, most), ...(more || [])])),
    rows.length > shown.length && el('p', {class: 'soft'}, `${counted(rows.length - shown.length, 'other')}, changed less or not.`)];
}

function greatestPart(parts, [perBefore, perAfter]) {
  const [first] = Object.entries(parts).map(([key, {slots_before: before, slots_after: after}]) => [key, Math.abs(after / perAfter - before / perBefore)]).sort((a, b) => b[1] - a[1]);
  return first && first[1] > 0 ? word(words(first[0]), first[0], 'issue_slots', 'stalls') : '';
}

function figureText(value, unit) {
  if (value === null) return '-';
  if (unit === 'fraction') return percent(value);
  if (unit === 'us') return timeText(value);
  return Number.isInteger(value) ? grouped(value) : value.toFixed(2);
}

function figureChange({before, after, unit}) {
  if (before === null || after === null) return before === null ? 'new' : 'gone';
  if (before === after) return '';
  if (unit === 'fraction') return signed(100 * (after - before), 1) + ' points';
  return before > 0 ? (after / before >= 2 ? (after / before).toFixed(2) + ' times' : signed(100 * (after / before - 1), 1) + ' %') : '';
}

function showDiff({diff, title}, page) {
  const FIRST = ['cycles', 'time_us', 'warp_instructions', 'ipc', 'theoretical_occupancy', 'achieved_occupancy', 'issue_efficiency', 'divergence_utilization'];
  const {before, after, settings, figures, cycles, lines} = diff;
  const part = (heading, note, ...children) => page.append(el('section', {'aria-label': heading}, el('h2', {}, heading), note && el('p', {class: 'soft'}, note), ...children.flat()));
  page.append(el('header', {}, el('div', {class: 'top'}, el('div', {}, el('h1', {}, title),
    el('div', {class: 'facts'}, `before: ${kernelName(before)} on ${before.gpu} \u00b7 ${before.file}`), el('div', {class: 'facts'}, `after: ${kernelName(after)} on ${after.gpu} \u00b7 ${after.file}`)), themeButton)));
  const per = cycles.parts.length ? [cycles.schedulers_before, cycles.schedulers_after] : [1, 1], unit = cycles.parts.length ? 'cycles' : 'slots', digits = cycles.parts.length ? 1 : 0;
  part('What differs in the settings', '', settings.length ? plainTable(['setting', 'before', 'after'], settings.map((each) => [each.name, each.before ?? '-', each.after ?? '-'])) : el('p', {}, 'No setting and no input file differs.'));
  if (cycles.parts.length) {
    part('Where the cycles went', `Every turn to issue belongs to one part. They sum to ${grouped(cycles.before)} cycles before and ${grouped(cycles.after)} after.`,
      changesTable(['part', 'cycles before', 'after', 'change', ''], cycles.parts.map((each) => ({name: word(words(each.part), each.part, 'issue_slots', 'stalls'), before: each.turns_before, after: each.turns_after})), per, 1));
  }
  if (lines) {
    const place = ({line_before: was, line_after: is, is_new: isNew, is_gone: isGone}) => isNew ? `new, ${is}` : isGone ? `${was}, gone` : was === is ? is ?? 'no line' : `${was} \u2192 ${is}`;
    const entries = lines.lines.map((each) => ({name: el('code', {}, each.text || 'of no line'), before: each.slots_before, after: each.slots_after, more: [greatestPart(each.parts, per), place(each)]}));
    entries.push({name: 'no warp was there to issue', before: lines.without_warp.slots_before, after: lines.without_warp.slots_after, more: ['', '']});
    part('Which lines', `What was issued for a line and lost for it. ${counted(lines.matched, 'line')} of one source ${lines.matched === 1 ? 'is' : 'are'} in the other, by their text.`,
      changesTable(['line', unit + ' before', 'after', 'change', '', 'mostly', 'number'], entries, per, digits));
  }
  part('Figures', '', plainTable(['figure', 'before', 'after', 'change'], figures.filter((each) => FIRST.includes(each.name) || (each.before !== each.after && !/^(ledgers|stalls|per_sm)\./.test(each.name)))
    .map((each) => [each.name, figureText(each.before, each.unit), figureText(each.after, each.unit), figureChange(each)])));
  page.classList.add('compared');
}
