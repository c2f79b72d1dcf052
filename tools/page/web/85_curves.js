// How many warps an SM could hold, over what a launch can change: block size, registers, shared memory.

function curve({title, here, amounts, warps}) {
  const svg = el('svg', {role: 'img', 'aria-label': `Warps of an SM over ${title}`});
  const reading = el('span', {class: 'soft num'});
  const top = machine.max_warps, last = amounts[amounts.length - 1] || 1;
  const width = () => Math.max(80, widthOf(svg)) - LEFT - RIGHT;
  const x = (amount) => LEFT + amount / last * width();
  const y = (count) => TOP + (1 - count / top) * (HEIGHT - TOP - BOTTOM);
  const at = (amount) => {
    const i = amounts.findIndex((each) => each >= amount);
    return i < 0 ? amounts.length - 1 : i;
  };
  const say = (i) => { reading.textContent = `${grouped(amounts[i])}: ${warps[i]} warps`; };
  const draw = () => {
    const nodes = [];
    for (let count = 0; count <= top; count += step(top, 4))
      nodes.push(el('line', {class: 'grid', x1: LEFT, x2: LEFT + width(), y1: y(count), y2: y(count)}), el('text', {x: LEFT - 6, y: y(count) + 4, 'text-anchor': 'end'}, String(count)));
    const stepX = step(last, Math.max(2, width() / 70));
    for (let amount = 0; amount <= last; amount += stepX) nodes.push(el('text', {x: x(amount), y: HEIGHT - 6, 'text-anchor': 'middle'}, short(amount)));
    const points = amounts.map((amount, i) => `${i ? 'L' : 'M'}${x(amount).toFixed(1)} ${y(warps[i]).toFixed(1)}` + (i + 1 < amounts.length ? `L${x(amounts[i + 1]).toFixed(1)} ${y(warps[i]).toFixed(1)}` : ''));
    nodes.push(el('path', {d: points.join(''), fill: 'none', stroke: colour('issued'), 'stroke-width': 1.8}),
      el('line', {x1: x(here), x2: x(here), y1: TOP, y2: HEIGHT - BOTTOM, stroke: css('--lost'), 'stroke-dasharray': '4 4'}),
      el('circle', {cx: x(here), cy: y(warps[at(here)]), r: 4.5, fill: css('--lost')}));
    svg.replaceChildren(...nodes);
    say(at(here));
  };
  svg.addEventListener('pointermove', (event) => say(at((event.clientX - svg.getBoundingClientRect().left - LEFT) / width() * last)));
  svg.addEventListener('pointerleave', () => say(at(here)));
  return el('div', {class: 'chart'}, el('div', {class: 'head'}, el('h3', {}, 'Over ' + title), reading), drawn(svg, draw));
}

if ((data.curves || []).length) {
  section('curves', 'What would fit', 'Warps that an SM could hold if one thing of the launch were another. The dot is this launch.', el('div', {class: 'charts three'}, data.curves.map(curve)));
}
