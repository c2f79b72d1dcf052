// The view of one run: all that follows up to 90_made.js draws its data into `page`. What the data do not have is left out: of
// many launches of a program only figures are kept.
function showRun(data, page) {
const report = data.report;
const machine = whole.machine || data.machine;
const stallNames = whole.stalls || data.stalls;
redraws.length = 0;

// -- sections -----------------------------------------------------------------------------------------------

const contents = el('nav', {'aria-label': 'Parts of this page'});

function section(id, title, note, ...children) {
  contents.append(el('a', {href: '#' + id}, title));
  page.append(el('section', {id, 'aria-label': title}, el('h2', {}, title), note && el('p', {class: 'soft'}, note), ...children));
}

/** The width of an element, as it was when it last changed: to ask for it costs a layout each time. */
const widths = new WeakMap();
const widthOf = (element) => widths.get(element) || element.clientWidth;

/** Calls draw() now, when the width of the element changes, and when the theme does. */
function drawn(element, draw) {
  redraws.push(draw);
  let width = -1;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    widths.set(element, width);
    requestAnimationFrame(draw);
  }).observe(element);
  return element;
}
