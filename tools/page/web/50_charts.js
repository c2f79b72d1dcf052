// Figures over time.

const HEIGHT = 150, LEFT = 46, RIGHT = 8, TOP = 10, BOTTOM = 22;

/** 1, 2 or 5 times a power of ten, so that there are about `most` steps up to `top`. */
function step(top, most) {
  const rough = top / most, power = 10 ** Math.floor(Math.log10(rough || 1));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999) || power;
}

const bucketEnd = (i, bucket) => Math.min((i + 1) * bucket, allCycles);

/** A line for each series: {name, colour, values} by bucket. `top` is the end of the scale, `limit` a line with a name. */
function chart({name, key, unit, top, limit, series, bucket = data.time.bucket}) {
  const svg = el('svg', {tabindex: 0, role: 'img', 'aria-label': `${name} over time`});
  const reading = el('span', {class: 'soft num'});
  const body = el('g');
  const picked = el('rect', {class: 'picked', y: TOP, height: HEIGHT - TOP - BOTTOM, width: 0});
  const cursor = el('line', {class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden'});
  svg.append(body, picked, cursor);
  const highest = top || Math.max(1e-9, limit ? limit.value : 0, ...series.map((each) => each.values.reduce((a, b) => Math.max(a, b || 0), 0)));
  const width = () => Math.max(80, widthOf(svg)) - LEFT - RIGHT;
  const x = (cycle) => LEFT + (cycle - view.from) / (view.until - view.from) * width();
  const y = (value) => TOP + (1 - Math.min(value, highest) / highest) * (HEIGHT - TOP - BOTTOM);
  const cycleAt = (place) => view.from + (Math.max(LEFT, Math.min(place, LEFT + width())) - LEFT) / width() * (view.until - view.from);

  /** Stairs, in pieces: nothing is drawn where a value is undefined. */
  function paths(values) {
    const first = Math.floor(view.from / bucket), last = Math.min(values.length - 1, Math.ceil(view.until / bucket));
    const pieces = [];
    let open = false;
    for (let i = first; i <= last; ++i) {
      if (values[i] === undefined) { open = false; continue; }
      const level = y(values[i]).toFixed(1);
      const begin = Math.max(LEFT, x(i * bucket)).toFixed(1), end = Math.min(LEFT + width(), x(bucketEnd(i, bucket))).toFixed(1);
      if (!open) pieces.push({begin, line: ''});
      const piece = pieces[pieces.length - 1];
      piece.line += `${open ? 'L' : 'M'}${begin} ${level}L${end} ${level}`;
      piece.end = end;
      open = true;
    }
    return pieces;
  }
  function axes() {
    const nodes = [];
    const stepY = step(highest, 4);
    for (let value = 0; value <= highest * 1.0001; value += stepY) {
      nodes.push(el('line', {class: 'grid', x1: LEFT, x2: LEFT + width(), y1: y(value), y2: y(value)}),
        el('text', {x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end'}, short(value)));
    }
    const stepX = Math.max(1, step(view.until - view.from, Math.max(2, width() / 90)));
    for (let cycle = Math.ceil(view.from / stepX) * stepX; cycle <= view.until; cycle += stepX)
      nodes.push(el('text', {x: x(cycle), y: HEIGHT - 6, 'text-anchor': x(cycle) > LEFT + width() - 24 ? 'end' : cycle === view.from ? 'start' : 'middle'}, short(cycle)));
    return nodes;
  }
  function draw() {
    const nodes = axes();
    if (limit) {
      nodes.push(el('line', {x1: LEFT, x2: LEFT + width(), y1: y(limit.value), y2: y(limit.value), stroke: css('--lost'), 'stroke-dasharray': '5 4'}),
        el('text', {x: LEFT + width() - 4, y: y(limit.value) + 13, 'text-anchor': 'end'}, limit.name));
    }
    for (const each of series) {
      const pieces = paths(each.values);
      if (series.length === 1)
        nodes.push(el('path', {d: pieces.map(({line, begin, end}) => `${line}L${end} ${y(0)}L${begin} ${y(0)}Z`).join(''), fill: each.colour, opacity: 0.18}));
      nodes.push(el('path', {d: pieces.map(({line}) => line).join(''), fill: 'none', stroke: each.colour, 'stroke-width': 1.6, 'stroke-linejoin': 'round'}));
    }
    body.replaceChildren(...nodes);
  }
  function read(event) {
    const cycle = cycleAt(event.clientX - svg.getBoundingClientRect().left);
    const i = Math.min(Math.floor(cycle / bucket), series[0].values.length - 1);
    cursor.setAttribute('x1', x(cycle));
    cursor.setAttribute('x2', x(cycle));
    cursor.setAttribute('visibility', 'visible');
    reading.textContent = `cycle ${grouped(i * bucket)}: ` + series.map((each) => (series.length > 1 ? each.name + ' ' : '') + (each.values[i] === undefined ? 'none' : short(each.values[i]))).join(', ') + ' ' + unit;
  }
  svg.addEventListener('pointermove', read);
  svg.addEventListener('pointerleave', () => { cursor.setAttribute('visibility', 'hidden'); reading.textContent = ''; });
  chooses(svg, cycleAt, (from, until) => {
    picked.setAttribute('x', from === undefined ? 0 : Math.min(from, until));
    picked.setAttribute('width', from === undefined ? 0 : Math.abs(until - from));
  });
  view.watchers.push(draw);
  return el('div', {class: 'chart'}, el('div', {class: 'head'}, el('h3', {}, word(name, key || name), el('span', {class: 'soft'}, ` (${unit})`)), reading),
    drawn(svg, draw), series.length > 1 && el('div', {class: 'key'}, series.map((each) => el('span', {}, el('span', {class: 'dot', style: {background: each.colour}}), each.name))));
}

function timeCharts() {
  const {time} = data;
  const cyclesOf = (i) => Math.max(1, bucketEnd(i, time.bucket) - i * time.bucket);
  const rate = (sums, factor) => sums.map((each, i) => each * factor / cyclesOf(i));
  const bytes = (key) => rate(time[key], machine.sector_bytes * machine.clock_mhz / 1000);
  const charts = [
    chart({name: 'Occupancy', key: 'achieved_occupancy', unit: '% of all warp places', top: 100,
      series: [{name: 'resident', colour: colour('issued'), values: rate(time.resident_cycles, 100 / machine.sms / machine.max_warps)}]}),
    chart({name: 'Issue slots used', key: 'issue_efficiency', unit: '% of all schedulers', top: 100,
      series: [{name: 'issued', colour: colour('wait'), values: rate(time.issued, 100 / machine.sms / machine.schedulers)}]}),
    chart({name: 'Lanes of a warp instruction', key: 'divergence_utilization', unit: 'active lanes', top: machine.warp_size,
      series: [{name: 'lanes', colour: colour('barrier'), values: time.issued.map((issued, i) => issued ? time.active_lanes[i] / issued : undefined)}]})];
  const flows = [['loads', 'l2_load_sectors', 'issued'], ['stores', 'l2_store_sectors', 'math_pipe_throttle'], ['atomics', 'l2_atomic_sectors', 'barrier'],
    ['not held by L2', 'dram_sectors', 'long_scoreboard']].filter(([, key]) => time[key].some((each) => each > 0));
  if (flows.length) {
    charts.push(chart({name: 'Asked of L2', key: 'l2_utilization', unit: 'GB/s', limit: machine.dram_peak_gbps ? {name: 'peak of DRAM', value: machine.dram_peak_gbps} : undefined,
      series: flows.map(([name, key, hue]) => ({name, colour: colour(hue), values: bytes(key)}))}));
  }
  return charts;
}

const bucketNote = data.time && data.time.bucket > 1 ? `Each point is the mean of ${grouped(data.time.bucket)} cycles. ` : '';
if (data.time) section('time', 'Over time', bucketNote + 'Drag over a picture to zoom in; double-click for the whole run. With a picture in focus: + and \u2212 zoom, arrows move, 0 shows all.',
  viewTools(), el('div', {class: 'charts'}, timeCharts()));
