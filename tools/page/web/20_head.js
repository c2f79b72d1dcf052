// The head: what ran, what holds it back, the four figures.

function title() {
  const name = kernelName(report);
  const long = name.length > 80;
  return el('h1', {}, long ? el('span', {class: 'long'}, name) : name, el('span', {class: 'soft'}, ' on ' + machine.description));
}

function launchFacts() {
  const facts = [`grid ${extents(report.grid)}, block ${extents(report.block)}`,
    counted(report.registers_per_thread, 'register') + ' a thread' + (report.registers_estimated ? ' (estimated)' : ''),
    report.shared_bytes_per_block ? bytesText(report.shared_bytes_per_block) + ' of shared memory a block' : 'no shared memory',
    'scheduler ' + report.scheduler];
  if (report.cold) facts.push('cold launch');
  return facts.join(' \u00b7 ');
}

function verdict() {
  const {kind, text, beside} = report.verdict;
  return el('div', {class: 'verdict' + (kind === 'well_used' ? ' fine' : '')}, el('b', {}, 'What holds it back'), el('p', {}, text), beside && el('p', {}, beside));
}

function card(name, key, share, note) {
  return el('div', {class: 'card'}, el('h3', {}, word(name, key, 'figures')), el('div', {class: 'big'}, percent(share)),
    el('div', {class: 'track', role: 'img', 'aria-label': percent(share)}, el('div', {class: 'fill', style: {width: 100 * Math.min(1, share) + '%'}})),
    el('div', {class: 'note'}, note));
}

function cards() {
    return el('div', {class: 'cards'},
    card('Theoretical occupancy', 'theoretical_occupancy', report.theoretical_occupancy,
      `${report.theoretical_warps_per_sm} of ${machine.max_warps} warps fit an SM` +
      (report.theoretical_warps_per_sm < machine.max_warps ? '; limit: ' + report.limiters.map(words).join(', ') : '')),
    card('Achieved occupancy', 'achieved_occupancy', report.achieved_occupancy, report.achieved_warps_per_sm.toFixed(1) + ' warps on average'),
    card('Issue efficiency', 'issue_efficiency', report.issue_efficiency, `${report.ipc.toFixed(2)} of ${machine.schedulers} issue slots a cycle`),
    card('Divergence utilization', 'divergence_utilization', report.divergence_utilization,
      `${(report.divergence_utilization * machine.warp_size).toFixed(1)} of ${machine.warp_size} lanes active`));
}

function checksText() {
  const {made, compared, differing} = report.checks;
  if (report.approximated) return 'A trace: its results cannot be checked.';
  if (!made) return 'Results were not checked.';
  return differing ? `WRONG: ${counted(differing, 'element')} of ${grouped(compared)} differ from what was expected.`
    : `Checked: ${counted(compared, 'element')} as expected.`;
}

page.append(el('header', {},
  el('div', {class: 'top'}, el('div', {}, title(),
    el('div', {class: 'facts'}, launchFacts()),
    el('div', {class: 'facts'}, `${counted(report.cycles, 'cycle')} = ${timeText(report.time_us)} at ${machine.clock_mhz} MHz \u00b7 ${counted(report.warp_instructions, 'warp instruction')} \u00b7 ${checksText()}`),
    report.sampled && el('div', {class: 'facts'}, `SAMPLE: ${report.sampled.sms} of ${report.sampled.of_sms} SMs simulated: cycles stand for the whole GPU, counts are the sample's`)),
  themeButton), contents, verdict(), cards()));
