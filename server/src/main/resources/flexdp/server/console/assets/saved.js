import { fill, h, icon } from './dom.js';
import { ago, oneLine } from './format.js';
import * as store from './store.js';
import { empty } from './ui.js';

export function savedPage(desk) {
  const { user } = desk.session;
  const place = h('div');
  function show() {
    const all = store.saved(user, desk.database);
    const remove = (i) => {
      store.keepSaved(user, desk.database, all.filter((_, at) => at !== i));
      show();
    };
    fill(place, all.length === 0
      ? empty('Nothing saved yet', 'Write a question and choose Save. Saved questions stay in this browser.')
      : h('ul', { class: 'list card' }, all.map((q, i) => h('li', { class: 'asked row' },
        h('button', { class: 'asked-sql', type: 'button', onclick: () => desk.put(q.sql, q.epsilon, q) }, h('span', { class: 'try-title' }, q.title), h('code', {}, oneLine(q.sql))),
        h('div', { class: 'asked-facts' }, h('span', { class: 'muted' }, q.epsilon ? `ε ${q.epsilon}` : 'default ε'), h('time', { class: 'muted' }, ago(q.at)),
          h('button', { class: 'bare', type: 'button', 'aria-label': `Remove ${q.title}`, onclick: () => remove(i) }, icon('cross')))))));
  }
  show();
  return { element: h('main', { class: 'page' }, h('h1', {}, 'Saved questions'), h('p', { class: 'lead' }, 'Kept in this browser, for you and this database.'), place) };
}
