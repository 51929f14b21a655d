import * as api from './api.js';
import { fill, h } from './dom.js';
import { ago, oneLine } from './format.js';
import { empty, load, problemBox, toast } from './ui.js';

const EVERY = 2000;

export default function livePage(desk) {
  const place = h('div', { 'aria-live': 'polite' });
  let timer = 0;
  let gone = false;
  function item(q, again) {
    return h('li', { class: 'asked' }, h('div', { class: 'asked-sql' }, h('code', {}, oneLine(q.sql))),
      h('div', { class: 'asked-facts' }, h('span', {}, q.analyst), h('span', { class: 'muted' }, `${q.database} · ${q.door === 'http' ? 'console or API' : 'PostgreSQL protocol'}`), h('time', { class: 'muted' }, `since ${ago(q.since)}`),
        h('button', { class: 'quiet small danger', type: 'button', 'aria-label': `Cancel the question of ${q.analyst}`, onclick: async () => {
          try {
            await api.cancel(q.id);
            toast('Cancelled. What was charged stays charged.');
          } catch (e) {
            toast(e.message);
          }
          again();
        } }, 'Cancel')));
  }
  function list(found, again) {
    return found.questions.length === 0
      ? empty('Nothing is running', 'Questions that the database is working on appear here by themselves.')
      : h('ul', { class: 'list card' }, found.questions.map((q) => item(q, again)));
  }
  let shown = '';
  async function look() {
    clearTimeout(timer);
    try {
      const found = await api.running();
      if (gone) return;
      const now = JSON.stringify(found);
      if (now !== shown) fill(place, list(found, look));
      shown = now;
    } catch (e) {
      fill(place, problemBox(e, look));
      shown = '';
      return;
    }
    timer = setTimeout(look, EVERY);
  }
  look();
  return {
    element: h('main', { class: 'page' }, h('h1', {}, 'Live questions'), h('p', { class: 'lead' }, 'What the databases are working on now. Looked up every two seconds.'), place),
    leave() {
      gone = true;
      clearTimeout(timer);
    },
  };
}
