// What made the page.

function made() {
  const {version, command, gpu_changes: changes, parameters, files} = report.provenance;
  const pairs = (object) => Object.entries(object).map(([key, value]) => `${key} ${value}`).join(', ');
  return el('div', {class: 'made'},
    el('p', {}, `Made by Heddle ${version}: `, el('code', {}, command.join(' '))),
    Object.keys(changes).length > 0 && el('p', {}, 'Changes to the GPU: ' + pairs(changes)),
    Object.keys(parameters).length > 0 && el('p', {}, 'Parameters: ' + pairs(parameters)),
    el('p', {}, 'From: ', files.map(({path, sha256}) => el('span', {title: sha256}, path + ' (' + sha256.slice(0, 12) + ')  '))),
    el('p', {}, 'Cycle-approximate: latencies and queues come from published measurements where there are some. Nothing on this page was fetched from anywhere.'));
}

section('made', 'What made this', '', made());
}
