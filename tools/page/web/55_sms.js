// Each SM over time: a row for each, the lighter the less.

function heatMap() {
  const {sms, time} = data;
  const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Each SM over time'});
  const reading = el('span', {class: 'reading num'});
  const kinds = {
    issued: {name: 'issue slots used', most: machine.schedulers, text: (value) => percent(value / machine.schedulers) + ' of its issue slots'},
    resident_cycles: {name: 'occupancy', most: machine.max_warps, text: (value) => value.toFixed(1) + ' warps'},
  };
  let kind = 'issued';
  const rows = sms.issued.length;
  const rowHeight = Math.max(2, Math.min(14, Math.floor(420 / rows))), margin = 52, ruler = 22, height = ruler + rows * rowHeight;
  const room = () => Math.max(80, widthOf(canvas) - margin);
  const valueOf = (sm, i) => {
    const cycles = Math.max(1, Math.min((i + 1) * sms.bucket, time.cycles) - i * sms.bucket);
    return (sms[kind][sm][i] || 0) / cycles;
  };
  const cycleAt = (place) => view.from + Math.max(0, Math.min((place - margin) / room(), 1)) * (view.until - view.from);
  const x = (cycle) => margin + (Math.max(view.from, Math.min(cycle, view.until)) - view.from) / (view.until - view.from) * room();
  function drawNames(pen) {
    pen.textAlign = 'right';
    const every = Math.max(1, step(rows, 420 / 24));
    for (let sm = 0; sm < rows && sm * rowHeight + 8 < rows * rowHeight; sm += every) pen.fillText('SM ' + sm, margin - 8, ruler + sm * rowHeight + Math.max(8, rowHeight / 2 + 4));
  }
  function draw(marked) {
    const ratio = devicePixelRatio || 1, width = margin + room();
    canvas.style.height = height + 'px';
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.fillStyle = css('--card');
    pen.fillRect(margin, ruler, width - margin, rows * rowHeight);
    drawRuler(pen, margin, room());
    drawNames(pen);
    const hue = kind === 'issued' ? '0, 121, 92' : '0, 114, 178';
    for (let i = Math.floor(view.from / sms.bucket); i * sms.bucket < view.until; ++i) {
      const left = x(i * sms.bucket), right = x(Math.min((i + 1) * sms.bucket, time.cycles));
      for (let sm = 0; sm < rows; ++sm) {
        const share = Math.min(1, valueOf(sm, i) / kinds[kind].most);
        if (share === 0) continue;
        pen.fillStyle = `rgba(${hue}, ${0.12 + 0.88 * share})`;
        pen.fillRect(left, ruler + sm * rowHeight, right - left + 0.5, rowHeight - (rowHeight > 4 ? 1 : 0));
      }
    }
    if (Array.isArray(marked)) {
      pen.fillStyle = 'rgba(127, 140, 160, .35)';
      pen.fillRect(Math.min(...marked), ruler, Math.abs(marked[1] - marked[0]), height - ruler);
    }
  }
  canvas.addEventListener('pointermove', (event) => {
    const box = canvas.getBoundingClientRect();
    const sm = Math.max(0, Math.min(rows - 1, Math.floor((event.clientY - box.top - ruler) / rowHeight)));
    const i = Math.floor(cycleAt(event.clientX - box.left) / sms.bucket);
    reading.textContent = `SM ${sm}, from cycle ${grouped(i * sms.bucket)}: ${kinds[kind].text(valueOf(sm, i))}`;
  });
  canvas.addEventListener('pointerleave', () => { reading.textContent = ''; });
  chooses(canvas, cycleAt, (from, until) => draw(from === undefined ? undefined : [from, until]));
  view.watchers.push(() => draw());
  const buttons = Object.entries(kinds).map(([key, {name}]) => el('button', {type: 'button', 'aria-pressed': String(key === kind), onclick: (event) => {
    kind = key;
    for (const each of buttons) each.setAttribute('aria-pressed', String(each === event.currentTarget));
    draw();
  }}, name));
  return [el('div', {class: 'tools'}, ...buttons, reading), drawn(canvas, () => draw())];
}

if (data.sms) section('sms', 'SM by SM', `A row for each of ${counted(machine.sms, 'SM')}, from SM 0 at the top; the stronger the colour, the more. Empty: no block, or nothing issued.`, ...heatMap());
