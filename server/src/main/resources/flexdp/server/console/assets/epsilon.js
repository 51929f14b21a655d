// How much of the budget to spend: a slider on a logarithmic scale, and the number itself.
import { h } from './dom.js';

const LEAST = -3;
const MOST = 1;

/** Two digits: nobody means 0.09998. */
function rounded(value) {
  return Number(value.toPrecision(2));
}

/** The control; `changed` is called when another ε is chosen. */
export function epsilonControl(standard, changed) {
  let value = standard;
  const slider = h('input', { type: 'range', min: LEAST, max: MOST, step: 0.05, id: 'epsilon-slider', 'aria-label': 'ε, how much of the budget to spend' });
  const exact = h('input', { type: 'number', min: 0, step: 'any', class: 'epsilon-number', 'aria-label': 'ε, exactly', inputmode: 'decimal' });
  const back = h('button', { class: 'linkish', type: 'button', onclick: () => set(standard, true) }, 'default');
  function show() {
    slider.value = String(Math.log10(value));
    slider.setAttribute('aria-valuetext', `ε ${value}`);
    exact.value = String(value);
    back.hidden = value === standard;
  }
  function set(next, tell) {
    if (!(next > 0) || !Number.isFinite(next)) return;
    value = next;
    show();
    if (tell) changed();
  }
  slider.addEventListener('input', () => set(rounded(10 ** Number(slider.value)), true));
  exact.addEventListener('change', () => {
    set(Number(exact.value), true);
    show();
  });
  show();
  return {
    element: h('div', { class: 'epsilon' }, h('label', { for: 'epsilon-slider' }, 'ε'), h('span', { class: 'muted edge' }, 'more private'), slider, h('span', { class: 'muted edge' }, 'more exact'), exact, back),
    value: () => value,
    /** Nothing when it is the policy's own. */
    chosen: () => (value === standard ? undefined : value),
    set: (next) => set(Number(next), false),
  };
}
