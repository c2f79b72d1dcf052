// The roofline of instructions: how many warp instructions a second the run reached for each sector that it moved,
// under what the schedulers and the bandwidths allow (Ding and Williams, "An Instruction Roofline Model for GPUs", 2019).

function rooflinePoints() {
  const {memory} = report;
  const seconds = allCycles / machine.clock_mhz / 1e6;
  const rate = report.warp_instructions / seconds / 1e9;
  const levels = [];
  const add = (name, hue, sectors, peak) => { if (sectors > 0 && peak > 0) levels.push({name, hue, peak, intensity: report.warp_instructions / sectors}); };
  const l2Sectors = memory.l2_load_sectors + memory.l2_store_sectors + memory.l2_atomic_sectors;
  const l2 = data.limits.find((each) => each.kind === 'l2_bandwidth');
  if (l2 && l2.shown > 0) add('L2', 'issued', l2Sectors, l2Sectors / l2.shown / seconds / 1e9);
  add('DRAM', 'long_scoreboard', (memory.dram_read_bytes + memory.dram_write_bytes) / machine.sector_bytes, machine.dram_peak_gbps / machine.sector_bytes);
  return {rate, levels, top: machine.sms * machine.schedulers * machine.clock_mhz / 1000};
}

function roofline() {
  const {rate, levels, top} = rooflinePoints();
  const svg = el('svg', {role: 'img', 'aria-label': 'Roofline', class: 'roof'});
  const height = 300, left = 56, right = 16, above = 14, below = 40;
  const xs = levels.flatMap((each) => [each.intensity, top / each.peak]);
  const low = Math.floor(Math.log10(Math.min(...xs) / 3)), high = Math.ceil(Math.log10(Math.max(...xs) * 3));
  const ceiling = Math.log10(top * 2), floor = Math.min(ceiling - 2.3, Math.log10(Math.max(1e-3, rate / 3)));
  const draw = () => {
    const width = Math.max(200, widthOf(svg)) - left - right;
    const x = (value) => left + (Math.log10(value) - low) / (high - low) * width;
    const y = (value) => above + (ceiling - Math.log10(value)) / (ceiling - floor) * (height - above - below);
    const nodes = [];
    for (let power = Math.ceil(floor); power <= ceiling; ++power)
      nodes.push(el('line', {class: 'grid', x1: left, x2: left + width, y1: y(10 ** power), y2: y(10 ** power)}), el('text', {x: left - 6, y: y(10 ** power) + 4, 'text-anchor': 'end'}, short(10 ** power)));
    for (let power = low; power <= high; ++power)
      nodes.push(el('line', {class: 'grid', x1: x(10 ** power), x2: x(10 ** power), y1: above, y2: height - below}), el('text', {x: x(10 ** power), y: height - below + 15, 'text-anchor': 'middle'}, String(+(10 ** power).toPrecision(1))));
    nodes.push(el('text', {x: left + width / 2, y: height - 6, 'text-anchor': 'middle'}, 'warp instructions a sector'),
      el('text', {x: left + 6, y: above + 2}, 'billions of warp instructions a second'));
    for (const {name, hue, peak, intensity} of levels) {
      const from = Math.max(10 ** low, 10 ** floor / peak), knee = top / peak;
      nodes.push(el('line', {x1: x(from), y1: y(from * peak), x2: x(knee), y2: y(top), stroke: colour(hue), 'stroke-width': 2}),
        el('line', {x1: x(knee), y1: y(top), x2: left + width, y2: y(top), stroke: css('--soft'), 'stroke-width': 2}),
        el('line', {x1: x(intensity), x2: x(intensity), y1: y(rate), y2: y(Math.min(top, intensity * peak)), stroke: colour(hue), 'stroke-dasharray': '3 3'}),
        el('circle', {cx: x(intensity), cy: y(rate), r: 5.5, fill: colour(hue), stroke: css('--paper'), 'stroke-width': 1.5}));
    }
    nodes.push(el('text', {x: left + width - 2, y: y(top) - 5, 'text-anchor': 'end'}, `schedulers: ${short(top)} G a second`));
    svg.replaceChildren(...nodes);
  };
  const share = ({peak, intensity}) => rate / Math.min(top, intensity * peak);
  return [drawn(svg, draw), el('div', {class: 'key'}, levels.map((each) => el('span', {}, el('span', {class: 'dot', style: {background: colour(each.hue)}}),
    `${each.name}: ${each.intensity.toPrecision(3)} warp instructions a sector, ${percent(share(each))} of its roof (${each.intensity * each.peak < top ? 'bandwidth' : 'schedulers'})`)))];
}

if (rooflinePoints().levels.length) {
  section('roofline', 'Roofline', 'How many warp instructions a second (in billions, upright) the run reached, over how many it has for each sector that a level of memory moved. The dashed line is what is missing to the roof.', ...roofline());
}
