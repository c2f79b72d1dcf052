// Which lane goes to which sector, or to which bank: one access of an instruction, by the first warp that made it.

const accesses = new Map((data.accesses || []).map((each) => [each.pc, each]));
const BANKS = 32, BANK_BYTES = 4, LINE_BYTES = 128;

/** The places that each lane touches, by name, in the order in which they are drawn. */
function placesOf({space, bytes, addresses}) {
  const unit = space === 'shared' ? BANK_BYTES : machine.sector_bytes;
  const touched = addresses.map((address) => {
    const units = [];
    for (let at = Math.floor(address / unit); at * unit < address + Math.max(1, bytes); ++at) units.push(at);
    return units;
  });
  const all = [...new Set(touched.flat())].sort((a, b) => a - b);
  if (space !== 'shared') return {names: all, touched, label: (place) => place};
  const words = new Map();
  for (const unitNumber of all) words.set(unitNumber % BANKS, [...(words.get(unitNumber % BANKS) || []), unitNumber]);
  return {names: [...Array(BANKS).keys()], touched: touched.map((units) => units.map((each) => each % BANKS)), words};
}

function accessSummary(access, {names, words}) {
  const {space, bytes, lanes, block, warp} = access;
  const who = `Block ${grouped(block)}, warp ${warp}: ${counted(lanes.length, 'lane')} x ${counted(bytes, 'byte')} `;
  if (space === 'shared') {
    const most = Math.max(0, ...[...words.values()].map((each) => each.length));
    return who + `in shared memory: at most ${counted(most, 'word')} of one bank` + (most > 1 ? ', which are read one after the other.' : ': no conflict.');
  }
  const least = Math.ceil(lanes.length * bytes / machine.sector_bytes);
  const lines = new Set(names.map((sector) => Math.floor(sector * machine.sector_bytes / LINE_BYTES))).size;
  return who + `touch ${counted(names.length, 'sector')} in ${counted(lines, 'line')} of ${LINE_BYTES} bytes; so many bytes would fit ${counted(least, 'sector')}.`;
}

function lanePicture(pc) {
  const access = accesses.get(pc);
  if (!access) return '';
  const places = placesOf(access), {names, touched, words} = places, shared = access.space === 'shared';
  const width = 760, top = 26, bottom = 110, lanes = machine.warp_size;
  const laneX = (lane) => 8 + (lane + 0.5) * (width - 16) / lanes;
  const placeX = (place) => 8 + (names.indexOf(place) + 0.5) * (width - 16) / names.length;
  const svg = el('svg', {viewBox: `0 0 ${width} ${bottom + 42}`, class: 'lanes', role: 'img', 'aria-label': accessSummary(access, places)});
  touched.forEach((units, i) => units.forEach((place) => svg.append(el('line', {x1: laneX(access.lanes[i]), y1: top + 7, x2: placeX(place), y2: bottom - 7,
    stroke: shared && words.get(place).length > 1 ? css('--lost') : css('--used'), opacity: 0.75}))));
  for (let lane = 0; lane < lanes; ++lane) {
    const active = access.lanes.includes(lane);
    svg.append(el('rect', {x: laneX(lane) - 7, y: top - 7, width: 14, height: 14, rx: 3, fill: active ? css('--used') : css('--line')}));
    if (lane % 4 === 0) svg.append(el('text', {x: laneX(lane), y: top - 12, 'text-anchor': 'middle'}, String(lane)));
  }
  const box = Math.max(1.5, Math.min(20, (width - 16) / names.length - 2));
  names.forEach((place, i) => {
    const count = shared ? (words.get(place) || []).length : 1;
    const newLine = !shared && i > 0 && Math.floor(place * machine.sector_bytes / LINE_BYTES) !== Math.floor(names[i - 1] * machine.sector_bytes / LINE_BYTES);
    svg.append(el('rect', {x: placeX(place) - box / 2, y: bottom - 7, width: box, height: 14, rx: Math.min(3, box / 4), fill: count === 0 ? css('--line') : count > 1 ? css('--lost') : css('--good')}));
    if (newLine) svg.append(el('line', {class: 'cursor', x1: placeX(place) - (width - 16) / names.length / 2, x2: placeX(place) - (width - 16) / names.length / 2, y1: bottom - 12, y2: bottom + 12}));
    if (shared && count > 1) svg.append(el('text', {x: placeX(place), y: bottom + 20, 'text-anchor': 'middle'}, String(count)));
  });
  svg.append(el('text', {x: 8, y: bottom + 36}, shared ? 'banks 0 to 31; below: words of the bank, where they are more than one' : 'sectors that are touched, by address; lines between them: another line of L1'));
  return el('div', {}, el('h3', {}, 'Lanes of one access'), el('p', {}, accessSummary(access, places)), svg);
}
