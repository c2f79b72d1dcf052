// Uses a page as a person does and writes what it then shows into an element `driven`, as JSON, for browser_test.cpp.
addEventListener('load', async () => {
  const said = {errors: [], requests: 0};
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => {
    const found = from.querySelector(selector);
    if (!found) throw new Error('there is no ' + selector);
    return found;
  };
  /** The cycles that the pictures over time show. */
  const range = () => one('#warps .reading').textContent.match(/[\d,]+/g).map((text) => Number(text.replaceAll(',', '')));
  const button = (name) => all('#warps .tools button').find((each) => each.getAttribute('aria-label').startsWith(name));
  const press = (node, key) => node.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));

  function zoom() {
    const picture = one('#warps canvas'), box = picture.getBoundingClientRect();
    const steps = {whole: range()};
    button('Zoom in').click();
    steps.half = range();
    button('Whole run').click();
    picture.dispatchEvent(new WheelEvent('wheel', {ctrlKey: true, deltaY: -100, clientX: box.right, clientY: box.top + 40, bubbles: true, cancelable: true}));
    steps.wheel = range();
    for (let i = 0; i < 60; ++i) press(picture, '+');
    steps.cycles = range();
    press(picture, 'ArrowLeft');
    steps.earlier = range();
    press(picture, '0');
    steps.back = range();
    return steps;
  }

  /** Drags over a picture from one place to another, as shares of its width, and says what it then shows. */
  function dragged(picture, from, until, pointerType = 'mouse') {
    press(picture, '0');
    const box = picture.getBoundingClientRect();
    picture.setPointerCapture = () => {};  // there is no pointer
    const send = (type, share) => picture.dispatchEvent(new PointerEvent(type, {pointerId: 1, button: 0, pointerType, bubbles: true,
      clientX: box.left + share * box.width, clientY: box.top + box.height / 2}));
    send('pointerdown', from);
    for (const share of [0.25, 0.5, 0.75]) send('pointermove', from + share * (until - from));
    send('pointerup', until);
    return range();
  }
  function drag() {
    const canvas = one('#warps canvas'), chart = one('#time svg');
    const said = {left: dragged(canvas, 0.4, 0.6), right: dragged(canvas, 0.6, 0.8), back: dragged(canvas, 0.6, 0.4), little: dragged(canvas, 0.5, 0.501),
      touch: dragged(canvas, 0.4, 0.6, 'touch'), chart: dragged(chart, 0.4, 0.6), heat: dragged(one('#sms canvas'), 0.4, 0.6)};
    press(canvas, '0');
    return said;
  }

  const panes = all('#code .pane');
  /** In each pane the numbers of the rows of this class. */
  const rows = (kind) => panes.map((pane) => all('tr.' + kind, pane).map((row) => Number(row.cells[0].textContent)));
  const rowOf = (pane, number) => all('tbody tr', panes[pane]).find((row) => row.cells[0].textContent === String(number));

  /** Clicks each row of each pane that stands for instructions, and points at it. */
  function links() {
    const clicks = [];
    panes.forEach((pane, i) => all('tbody tr:not(.plain):not(.note):not(.file)', pane).slice(0, 200).forEach((row) => {
      const number = Number(row.cells[0].textContent);
      row.cells[1].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
      const pointed = rows('pointed');
      row.cells[1].click();
      clicks.push({pane: i, number, pointed, chosen: rows('chosen'), detail: one('#code .detail .name').textContent});
    }));
    return clicks;
  }
  function keys() {
    const box = one('.scroll', panes[panes.length - 1]);
    rowOf(panes.length - 1, 0).cells[1].click();
    press(box, 'ArrowDown');
    return rows('chosen');
  }
  function theme() {
    const before = document.documentElement.dataset.theme;
    one('button.theme').click();
    return [before, document.documentElement.dataset.theme];
  }
  function glossary() {
    one('.card button.word').dispatchEvent(new MouseEvent('mouseenter'));
    const text = one('#tip').textContent, hidden = one('#tip').hidden;
    press(document.body, 'Escape');
    return {text, hidden, after: one('#tip').hidden};
  }

  /** Lets the page go on. The browser's clock is virtual and waits for no file, so timers do not help. */
  const turn = () => new Promise((done) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(null);
  });

  /** Chooses files as a person would: a report, a page, several runs, and what is none of these. */
  async function beside() {
    const data = JSON.parse(one('#data').textContent), slower = structuredClone(data.report);
    slower.cycles = 3 * data.report.cycles;
    slower.ledgers.issue_slots.barrier += 123456;
    const named = '<img src=x>.json';
    const files = new DataTransfer();
    files.items.add(new File([JSON.stringify([slower, data.report])], named));
    files.items.add(new File(['<p id="data">' + JSON.stringify({...data, report: slower}) + '</' + 'script>'], 'slower.html'));
    files.items.add(new File(['no report'], 'none.txt'));
    const chooser = one('#beside input');
    chooser.files = files.files;
    chooser.dispatchEvent(new Event('change'));
    const said = {wrong: '', rows: []};
    for (let i = 0; i < 200000 && said.rows.length === 0; ++i) {
      await turn();
      said.rows = all('#beside .tools ~ div:not(.compared) tbody tr').map((row) => row.textContent);
    }
    said.wrong = one('#beside [role="alert"]').textContent;
    said.compared = all('#beside .compared tbody tr').map((row) => [...row.cells].map((cell) => cell.textContent));
    one('#beside tbody tr').click();
    said.name = one('#beside .compared h3').textContent;
    return said;
  }

  /** Of a program: chooses each kernel, then its next launch, and says what is shown. */
  const launches = () => all('#kernels tbody tr').map((_, i) => {
    all('#kernels tbody tr')[i].click();
    one('#launches [aria-label="Next launch"]').click();
    return {kernel: all('#kernels tbody tr')[i].cells[0].textContent, launch: one('#launches .reading').textContent,
      rows: all('#launches tbody tr').length, title: one('#run h1').textContent, sections: all('#run section').map((each) => each.id)};
  });

  const wide = () => document.documentElement.scrollWidth - innerWidth;
  const steps = document.querySelector('#launches') ? {launches, wide} : {zoom, drag, panes: () => panes.map((pane) => one('h3', pane).textContent), links, keys, theme, glossary,
    beside, wide};
  for (const [name, step] of Object.entries(steps)) {
    try {
      said[name] = await step();
    } catch (error) {
      said.errors.push(name + ': ' + error.message);
    }
  }
  said.requests = performance.getEntriesByType('resource').length;
  const node = document.createElement('script');
  node.type = 'application/json';
  node.id = 'driven';
  node.textContent = JSON.stringify(said).replaceAll('<', '\\u003c');
  document.body.append(node);
});
