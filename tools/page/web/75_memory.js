// The way of memory as a picture: what goes over each edge, and how near that is to what the edge can carry.

function memoryLevels() {
  const {memory} = report;
  const gbps = (bytes) => bytes / Math.max(1, allCycles) * machine.clock_mhz / 1000;
  const sectors = (key) => (memory[key] || 0) * machine.sector_bytes;
  const limitOf = (kind) => data.limits.find((each) => each.kind === kind);
  const requests = (spaces) => sum(spaces.map((each) => memory[each + '_requests'] || 0));
  const global = ['global_load', 'global_store', 'global_atomic', 'local_load', 'local_store'];
  const shared = ['shared_load', 'shared_store', 'shared_atomic'];
  const boxes = [
    {name: 'Warps', key: undefined, lines: [counted(report.warp_instructions, 'instruction').replace('instructions', 'issued'), counted(requests(global), 'memory request')]},
    {name: 'L1', key: 'l1_hit_rate', rate: memory.l1_hit_rate, lines: [memory.l1_hit_rate === null ? 'no loads' : percent(memory.l1_hit_rate) + ' of loads hit',
      memory.l1_merged_sectors ? short(memory.l1_merged_sectors) + ' sectors on their way' : '']},
    {name: 'L2', key: 'l2_hit_rate', rate: memory.l2_hit_rate, lines: [memory.l2_hit_rate === null ? 'no loads' : percent(memory.l2_hit_rate) + ' of loads hit', '']},
    {name: 'DRAM', key: 'dram_utilization', lines: [machine.dram_peak_gbps ? grouped(machine.dram_peak_gbps) + ' GB/s at its peak' : '', '']},
  ];
  const edge = (down, up, share, name) => ({down, up, share, name});
  const edges = [
    edge(sectors('global_store_sectors') + sectors('local_store_sectors') + sectors('global_atomic_sectors'), sectors('global_load_sectors') + sectors('local_load_sectors'),
      memory.l1_data_pipe_utilization, 'L1\u2019s data pipe'),
    edge(sectors('l2_store_sectors') + sectors('l2_atomic_sectors'), sectors('l2_load_sectors'), (limitOf('l2_bandwidth') || {}).shown, 'L2\u2019s bandwidth'),
    edge(memory.dram_write_bytes || 0, memory.dram_read_bytes || 0, (limitOf('dram_bandwidth') || {}).shown, 'DRAM\u2019s bandwidth'),
  ];
  const sharedPasses = sum(shared.map((each) => memory[each + '_passes'] || 0));
  return {boxes, edges, gbps, shared: requests(shared) > 0 && {requests: requests(shared), passes: sharedPasses, conflicts: sum(shared.map((each) => memory[each + '_bank_conflicts'] || 0))}};
}

/** One edge as lines of text, and a bar for its share. */
function edgeView({down, up, share, name}, gbps) {
  const near = share || 0;
  const flowText = (bytes, done) => bytes ? [el('b', {}, `${short(gbps(bytes))}\u00a0GB/s`), ` ${done}, ${bytesText(bytes)}`] : [`nothing ${done}`];
  return el('div', {class: 'edge'},
    el('div', {class: 'flow'}, el('span', {class: 'arrow', 'aria-hidden': 'true'}, '\u2192'), ...flowText(down, 'written')),
    el('div', {class: 'flow'}, el('span', {class: 'arrow', 'aria-hidden': 'true'}, '\u2190'), ...flowText(up, 'read')),
    el('div', {class: 'track', role: 'img', 'aria-label': percent(near)}, el('div', {class: 'fill', style: {width: 100 * Math.min(1, near) + '%', background: near > 0.7 ? 'var(--lost)' : 'var(--used)'}})),
    el('div', {class: 'soft'}, `${percent(near)} of ${name}`));
}

function memoryPicture() {
  const {boxes, edges, gbps, shared} = memoryLevels();
  const row = el('div', {class: 'memory'});
  boxes.forEach((box, i) => {
    row.append(el('div', {class: 'level'}, el('h3', {}, box.key ? word(box.name, box.key, 'memory') : box.name), box.lines.filter(Boolean).map((line) => el('div', {class: 'soft'}, line)),
      i === 1 && shared && el('div', {class: 'soft'}, `shared: ${counted(shared.requests, 'request')}, ${(shared.passes / shared.requests).toFixed(2)} passes each` +
        (shared.conflicts ? `, ${grouped(shared.conflicts)} for conflicts` : ''))));
    if (edges[i]) row.append(edgeView(edges[i], gbps));
  });
  return row;
}

const binding = data.limits.filter((each) => each.binds);
section('memory', 'The way of memory', 'What went over each edge in the whole run, its mean rate, and what share that is of what the edge can carry.' +
  (binding.length ? ` At its limit: ${binding.map((each) => each.name).join(', ')}.` : ' No edge is at its limit.'), memoryPicture());
