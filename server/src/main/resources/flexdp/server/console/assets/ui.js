// Small parts that every page uses.
import { fill, h, icon } from './dom.js';
import { cost } from './format.js';

/** Says something in passing. */
export function toast(text) {
  const place = document.getElementById('toasts');
  const note = h('p', { class: 'toast' }, text);
  place.append(note);
  setTimeout(() => note.remove(), 4000);
}

/** A problem as a box: what is wrong and what to do. */
export function problemBox(problem, again) {
  return h(
    'div',
    { class: 'problem', role: 'alert' },
    icon('alert'),
    h(
      'div',
      {},
      h('p', { class: 'problem-message' }, sentence(problem.message)),
      problem.hint && h('p', { class: 'muted' }, problem.hint),
      h('p', { class: 'problem-code' }, problem.code ?? ''),
      again && h('button', { class: 'quiet', type: 'button', onclick: again }, 'Try again'),
    ),
  );
}

/** Some messages begin as part of a line on a terminal. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function empty(title, ...text) {
  return h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), h('p', { class: 'muted' }, ...text));
}

export function loading(text = 'Loading …') {
  return h('div', { class: 'loading', role: 'status' }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), text);
}

/** Shows what a promise brings: loading first, then the page or what went wrong. */
export async function load(place, work, show) {
  fill(place, loading());
  try {
    const found = await work();
    fill(place, show(found));
  } catch (e) {
    if (e.name === 'AbortError') return;
    fill(place, problemBox(e, () => load(place, work, show)));
  }
}

/** What was not spent; under another composition than basic one answer may have less of it. */
export function left(epsilon) {
  return Math.max(0, epsilon.budget - epsilon.spent);
}

/** How much of an allowance is used, as a bar with its numbers. */
export function meter(account, after = 0) {
  const { spent, budget } = account.epsilon;
  const used = Math.min(1, Number(spent) / Number(budget));
  const next = Math.min(1 - used, Number(after) / Number(budget));
  const bar = h('div', {
    class: 'meter',
    role: 'meter',
    'aria-label': `ε spent on ${accountName(account.account)}`,
    'aria-valuemin': 0,
    'aria-valuemax': budget,
    'aria-valuenow': Math.min(Number(spent), Number(budget)),
    'aria-valuetext': `ε ${cost(spent)} of ${cost(budget)} spent, ${cost(left(account.epsilon))} left`,
  });
  const part = (kind, from, width) => {
    const element = h('span', { class: kind });
    element.style.left = `${from * 100}%`;
    element.style.width = `${width * 100}%`;
    return element;
  };
  bar.append(part(used > 0.9 ? 'meter-used low' : 'meter-used', 0, used), part('meter-next', used, next));
  return bar;
}

/** `table:trips` for people. */
export function accountName(account) {
  const [kind, ...rest] = String(account).split(':');
  return rest.length === 0 || kind === 'table' ? rest.join(':') || kind : `${kind} ${rest.join(':')}`;
}

/** A dialog with a title; resolves when it is closed. */
export function dialog(title, ...content) {
  const heading = h('h2', { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const box = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': heading.id },
    h('div', { class: 'dialog-head' }, heading, closeButton(() => box.close())),
    ...content,
  );
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

function closeButton(close) {
  return h('button', { class: 'bare', type: 'button', 'aria-label': 'Close', onclick: close }, icon('cross'));
}

/** Asks before something that cannot be undone. */
export function sure(title, text, deed) {
  const wrong = h('div');
  const button = h('button', { class: 'primary danger', type: 'button', onclick: async () => {
    button.disabled = true;
    try {
      await deed();
      box.close();
    } catch (e) {
      fill(wrong, problemBox(e));
      button.disabled = false;
    }
  } }, title);
  const box = dialog(title, h('p', {}, text), wrong, button);
}

/** A labelled field. */
export function field(label, input, note) {
  const id = input.id || `f-${Math.random().toString(36).slice(2)}`;
  input.id = id;
  const noteId = note ? `${id}-note` : null;
  if (note) input.setAttribute('aria-describedby', noteId);
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    note && h('p', { class: 'field-note', id: noteId }, note),
  );
}

export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    dialog('Copy this', h('textarea', { class: 'copy-text', rows: 4, readonly: true, '.value': text, 'aria-label': 'Text to copy' }));
  }
}
