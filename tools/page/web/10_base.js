'use strict';
(() => {
// What all parts of the page use: elements, numbers as text, colours.

const whole = JSON.parse(document.getElementById('data').textContent);

/** An element with properties, listeners (on...) and children; texts are never read as HTML. */
function el(tag, properties, ...children) {
  const svg = ['svg', 'g', 'path', 'line', 'rect', 'text', 'circle', 'polyline'].includes(tag);
  const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') Object.assign(node.style, value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

const inGroups = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const grouped = (number) => inGroups.format(Math.round(number));
function percent(share) {
  if (share === null || share === undefined) return '-';
  if (share > 0 && share < 0.0005) return '<0.1 %';
  return (100 * share).toFixed(1) + ' %';
}
/** Three digits or so. */
function short(number) {
  const size = Math.abs(number);
  if (size >= 1e9) return (number / 1e9).toFixed(size < 1e10 ? 1 : 0) + ' G';
  if (size >= 1e6) return (number / 1e6).toFixed(size < 1e7 ? 1 : 0) + ' M';
  if (size >= 1e4) return (number / 1e3).toFixed(size < 1e5 ? 1 : 0) + ' k';
  if (size >= 100 || Number.isInteger(number)) return grouped(number);
  return number.toFixed(size >= 10 ? 1 : 2);
}
const words = (key) => key.replaceAll('_', ' ');
const sum = (values) => values.reduce((all, each) => all + each, 0);
const counted = (number, thing) => grouped(number) + ' ' + thing + (number === 1 ? '' : 's');

// -- colours: families of causes, told apart by hue, in a family by lightness ------------------------------

const HUES = {
  issued: '#0072b2', resident: '#0072b2', executed: '#0072b2',
  not_selected: '#7cc3ea',
  long_scoreboard: '#c4501b', lg_throttle: '#e8895a', drain: '#8a3a14', membar: '#f3b795',
  wait: '#00795c', short_scoreboard: '#4cb394', mio_throttle: '#9bd6c2', branch_resolving: '#005440',
  math_pipe_throttle: '#e0a800', dispatch_stall: '#f2d36b',
  barrier: '#9b4f96', gmma: '#c48cc0', warpgroup_arrive: '#6e2f6a', sleeping: '#dfc1dd',
  no_instruction: '#6b7684', imc_miss: '#99a3af', no_warp: '#c3c9d1',
  resource_limit: '#9b4f96', small_grid: '#c48cc0', launch_ramp: '#e0a800', tail: '#c4501b', finished: '#4cb394', idle_sm: '#99a3af',
  predicated_off: '#e0a800', diverged: '#c4501b', exited: '#9b4f96', never_there: '#99a3af', absent: '#99a3af',
};
const colour = (key) => HUES[key] || '#8a92a0';
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const extents = (three) => three.filter((each, i) => i === 0 || each > 1 || three.slice(i).some((later) => later > 1)).join(' x ');

function bytesText(bytes) {
  if (bytes >= 1 << 30) return (bytes / (1 << 30)).toFixed(1) + ' GiB';
  if (bytes >= 1 << 20) return (bytes / (1 << 20)).toFixed(1) + ' MiB';
  if (bytes >= 1024) return (bytes / 1024).toFixed(bytes % 1024 ? 1 : 0) + ' KiB';
  return bytes + ' B';
}

function timeText(us) {
  return us >= 1e6 ? (us / 1e6).toFixed(2) + ' s' : us >= 1000 ? (us / 1000).toFixed(2) + ' ms' : us.toFixed(2) + ' us';
}

/** As C++ has it, if its compiler has made a name of that. */
const kernelName = (run) => run.signature ?? run.kernel;

/** Rows of cells, the first cell of each to the left. */
function plainTable(heads, rows, pick) {
  const cells = (tag, texts) => texts.map((text, i) => el(tag, {class: i === 0 ? 'left' : undefined}, text === undefined || text === null ? '' : text));
  return el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, cells('th', heads))),
    el('tbody', {}, rows.map((row, i) => el('tr', pick ? {tabindex: 0, onclick: () => pick(i), onkeydown: (event) => { if (event.key === 'Enter') pick(i); }} : {class: 'plain'}, cells('td', row))))));
}

// -- the theme ----------------------------------------------------------------------------------------------

/** Draws again what is drawn in colours of the theme. */
const redraws = [];
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const draw of redraws) draw();
}
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
document.documentElement.dataset.theme = prefersDark.matches ? 'dark' : 'light';
prefersDark.addEventListener('change', () => setTheme(prefersDark.matches ? 'dark' : 'light'));

const themeButton = el('button', {class: 'theme', type: 'button', title: 'Dark or light', 'aria-label': 'Dark or light',
  onclick: () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')}, '\u25d0');

// -- the glossary under words -------------------------------------------------------------------------------

const tip = el('div', {id: 'tip', role: 'tooltip', hidden: true});
document.body.append(tip);
const isPlain = (text) => text.replaceAll('`', '');

function showTip(at, ...children) {
  tip.replaceChildren(...children.filter(Boolean));
  tip.hidden = false;
  const left = Math.min(at.left, document.documentElement.clientWidth - tip.offsetWidth - 12);
  tip.style.left = Math.max(8, left) + scrollX + 'px';
  const below = at.bottom + 8;
  const fits = below + tip.offsetHeight < innerHeight || at.top < tip.offsetHeight + 8;
  tip.style.top = (fits ? below : at.top - tip.offsetHeight - 8) + scrollY + 'px';
}
const hideTip = () => { tip.hidden = true; };
addEventListener('keydown', (event) => { if (event.key === 'Escape') hideTip(); });
addEventListener('scroll', hideTip, {passive: true});

/** The word of the glossary, of one of these groups. */
function find(key, ...groups) {
  const {words} = whole;
  for (const group of groups.length ? groups : Object.keys(words)) {
    const word = (words[group] || {})[key];
    if (word) return word;
  }
  return undefined;
}

/** A text that shows what the word means, where the glossary has it. */
function word(text, key, ...groups) {
  const entry = find(key, ...groups);
  if (!entry) return el('span', {}, text);
  const show = (event) => showTip(event.currentTarget.getBoundingClientRect(), el('b', {}, text), el('p', {}, isPlain(entry.is)),
    entry.cause && el('p', {class: 'also'}, 'What makes it so: ' + isPlain(entry.cause)),
    entry.cure && el('p', {class: 'also'}, 'What helps: ' + isPlain(entry.cure)),
    entry.nsight && el('p', {class: 'also'}, 'Nsight Compute: ' + isPlain(entry.nsight)));
  return el('button', {class: 'word', type: 'button', onmouseenter: show, onfocus: show, onclick: show, onmouseleave: hideTip, onblur: hideTip}, text);
}
