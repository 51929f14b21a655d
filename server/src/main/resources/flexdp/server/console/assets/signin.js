import * as api from './api.js';
import { fill, h, icon } from './dom.js';
import { field, problemBox } from './ui.js';

/** The form; `done` gets the session. A user may be given, as after a session has ended. */
function form(given, done) {
  const user = h('input', { name: 'user', autocomplete: 'username', required: true, maxlength: 200, autocapitalize: 'none', spellcheck: 'false', '.value': given.user ?? '' });
  const password = h('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true, '.value': given.password ?? '' });
  const wrong = h('div');
  const button = h('button', { class: 'primary wide', type: 'submit' }, 'Sign in');
  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    fill(wrong);
    try {
      const session = await api.signIn(user.value, password.value);
      password.value = '';
      done(session);
    } catch (e) {
      fill(wrong, problemBox(e));
      password.select();
    } finally {
      button.disabled = false;
    }
  }
  return {
    element: h('form', { class: 'stack', onsubmit: submit }, field('Name', user), field('Password', password), wrong, button),
    focus: () => (user.value === '' ? user : given.password ? button : password).focus(),
  };
}

/** `#/signin?user=…&password=…` fills the form in, as the demo's link does; it never signs in by itself. */
function givenByLink() {
  const [route, parameters] = location.hash.slice(1).split('?');
  if (route !== '/signin') return {};
  const given = Object.fromEntries(new URLSearchParams(parameters ?? ''));
  history.replaceState(null, '', '#/ask');
  return given;
}

/** The whole page, for whoever is not signed in. */
export function signInPage(place, done) {
  document.title = 'Sign in · FlexDP';
  const given = givenByLink();
  const made = form(given, done);
  fill(
    place,
    h(
      'main',
      { class: 'signin' },
      h(
        'div',
        { class: 'signin-card' },
        h('p', { class: 'wordmark large' }, mark(), 'FlexDP'),
        h('h1', {}, 'Sign in'),
        h('p', { class: 'muted' }, 'Ask SQL about data that you may not see. Answers come with noise that hides every single row, or every single person where rows are people’s, and say how much.'),
        given.password && h('p', { class: 'note' }, 'The link has filled the form in for you.'),
        made.element,
      ),
    ),
  );
  made.focus();
}

export function mark() {
  return h('img', { src: 'assets/icon.svg', alt: '', width: 22, height: 22 });
}

/** Over the page, when the session has ended under it; what was typed stays. */
export function signInAgain(user) {
  return new Promise((resolve) => {
    const made = form({ user }, (session) => {
      box.close();
      box.remove();
      resolve(session);
    });
    const box = h(
      'dialog',
      { class: 'dialog', 'aria-labelledby': 'again-title', oncancel: (e) => e.preventDefault() },
      h('h2', { id: 'again-title' }, icon('lock'), 'Sign in again'),
      h('p', { class: 'muted' }, 'Your session has ended. What you typed is still here.'),
      made.element,
    );
    document.body.append(box);
    box.showModal();
    made.focus();
  });
}
