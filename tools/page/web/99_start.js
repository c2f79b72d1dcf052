// What the data are of decides what is drawn.

const main = document.getElementById('page');
if (whole.diff) showDiff(whole, main);
else if (whole.launches) showProgram(whole, main);
else showRun(whole, main);
})();
