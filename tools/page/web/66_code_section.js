// The section of the code.

/** The instruction that lost the most is what a reader looks for. */
function worstInstruction() {
  return instructions.reduce((worst, each) => lostOf(each) > lostOf(worst) ? each : worst, instructions[0]);
}

if (instructions.length) {
  section('code', 'Which line', 'The stronger the colour, the more issue slots were lost before the instructions of the line could issue; the bar\u2019s colour is what most were lost to. ' +
    'Point at a line to see in all columns what was made of it, click to keep it. What is lost here adds up to the ledger; slots without any warp belong to no line.',
  ...codePanes().filter(Boolean), details());
  requestAnimationFrame(() => { if (!links.chosen.length) choose([worstInstruction().pc]); });
}
