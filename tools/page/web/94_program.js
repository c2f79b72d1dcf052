// The page of a program: its kernels and launches as tables to walk through, and the view of the one that is chosen.

const MOST_ROWS = 1000;

/** The other launches of this kernel that the page has, to compare with. */
function otherLaunches(data) {
  const MOST_OTHERS = 12;
  const self = (whole.launches || []).find((each) => each.view === data);
  if (!self) return [];
  return whole.launches.filter((each) => each !== self && each.kernel === self.kernel && each.view).slice(0, MOST_OTHERS)
    .map(({number, view}) => ({name: `launch ${number}`, report: view.report, code: view.code, sources: view.sources}));
}

function showProgram({program, kernels, launches}, page) {
  const allTime = sum(kernels.map((each) => each.time_us)) || 1;
  const byTime = kernels.map((each, i) => ({...each, i})).sort((a, b) => b.time_us - a.time_us || a.i - b.i);
  const list = el('div', {class: 'launches'}), run = el('div', {id: 'run'}), walk = el('span', {class: 'reading', 'aria-live': 'polite'});
  const boxes = {};
  let kernel = -1, shown = [], at = -1;
  const press = (box, index) => [...box.querySelectorAll('tbody tr')].forEach((row, i) => row.classList.toggle('chosen', i === index));

  function open(index) {
    if (index < 0 || index >= shown.length) return;
    at = index;
    const launch = shown[at];
    press(boxes.launches, at);
    walk.textContent = `launch ${grouped(launch.number)}: ${at + 1} of ${grouped(shown.length)} of this kernel`;
    run.replaceChildren();
    if (!launch.view) {
      run.append(el('div', {class: 'note-bar'}, `Of launch ${launch.number} this page has only what its row says.`));
      return;
    }
    if (!launch.view.time) run.append(el('div', {class: 'note-bar'}, `Of launch ${launch.number} this page has figures alone: lines and timelines are kept of the first ${program.detailed} launches of a kernel, while there is room.`));
    else if (!launch.view.watched) run.append(el('div', {class: 'note-bar'}, 'The timeline of its warps would have been too much for this page.'));
    showRun(launch.view, run);
  }

  function choose(index) {
    kernel = byTime[index].i;
    press(boxes.kernels, index);
    shown = launches.filter((each) => each.kernel === kernel);
    boxes.launches = plainTable(['launch', 'begins at', 'cycles', 'time', 'achieved occupancy', 'issue efficiency', 'lanes', 'what holds it back', 'told here'], shown.slice(0, MOST_ROWS).map((each) =>
      [grouped(each.number), timeText(each.begin_us), grouped(each.cycles), timeText(each.time_us), percent(each.achieved_occupancy), percent(each.issue_efficiency), percent(each.divergence_utilization), words(each.verdict),
        !each.view ? 'row' : !each.view.time ? 'figures' : !each.view.watched ? 'lines' : 'lines, timeline']), (i) => open(i));
    list.replaceChildren(...[boxes.launches, shown.length > MOST_ROWS && el('div', {class: 'note-bar'}, `The first ${grouped(MOST_ROWS)} of ${grouped(shown.length)} rows; the arrows walk through all.`)].filter(Boolean));
    const first = shown.findIndex((each) => each.view && each.view.time);
    open(Math.max(first, 0));
  }

  const step = (by, label, text) => el('button', {type: 'button', 'aria-label': label, onclick: () => open(at + by)}, text);
  boxes.kernels = plainTable(['kernel', 'calls', 'time', 'share', '', 'longest', 'achieved occupancy', 'what holds it back'], byTime.map((each) => [el('code', {}, each.name), grouped(each.calls), timeText(each.time_us),
    percent(each.time_us / allTime), el('span', {class: 'mini', 'aria-hidden': 'true'}, el('i', {style: {width: 100 * each.time_us / allTime + '%'}})), timeText(each.longest_us), percent(each.achieved_occupancy), words(each.verdict || '-')]), choose);
  const left = program.rows_left_out;
  page.append(el('header', {class: 'program'}, el('div', {class: 'top'}, el('div', {}, el('h1', {}, program.name, el('span', {class: 'soft'}, ' on ' + whole.machine.description)),
    el('div', {class: 'facts'}, `${counted(kernels.length, 'kernel')}, ${counted(sum(kernels.map((each) => each.calls)), 'launch').replace('launchs', 'launches')}: ${timeText(allTime)} of ${timeText(program.clock_us)} that the GPU lived \u00b7 click a kernel, then one of its launches`)))),
    el('section', {id: 'kernels', 'aria-label': 'Kernels'}, el('h2', {}, 'Kernels'), boxes.kernels),
    el('section', {id: 'launches', 'aria-label': 'Launches'}, el('h2', {}, 'Launches of the kernel'), el('div', {class: 'tools'}, step(-1, 'Previous launch', '\u2190'), step(1, 'Next launch', '\u2192'), walk),
      left > 0 && el('div', {class: 'note-bar'}, `${counted(left, 'later launch').replace('launchs', 'launches')} have no row; the table of kernels counts them.`), list),
    run);
  if (byTime.length) choose(0);
}
