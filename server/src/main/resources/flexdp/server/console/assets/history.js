import * as api from './api.js';
import { fill, h, icon } from './dom.js';
import { ago, cost, moment, oneLine } from './format.js';
import { empty, load } from './ui.js';

const WORDS = { released: 'answered', answered: 'answered', failed: 'failed', timed_out: 'timed out', cancelled: 'cancelled', lost: 'lost', open: 'running' };

function outcome(q) {
  if (q.repeat) return h('span', { class: 'badge good' }, icon('check'), 'free repeat');
  const word = WORDS[q.outcome] ?? q.outcome;
  return h('span', { class: `badge ${word === 'answered' ? '' : 'warn'}` }, word);
}

function price(q) {
  return q.repeat || Number(q.epsilon) === 0 ? 'free' : `ε ${cost(q.epsilon)}${Number(q.delta) > 0 ? `, δ ${cost(q.delta)}` : ''}`;
}

/** `"main"."trips"` as the policy calls it, more or less. */
function tableName(identity) {
  return /"((?:[^"]|"")*)"$/.exec(identity)?.[1].replaceAll('""', '"') ?? identity;
}

/** A question that was asked; it can be put into the editor again. */
export function asked(q, desk, withAnalyst) {
  return h(
    'li',
    { class: 'asked' },
    h('button', { class: 'asked-sql', type: 'button', title: 'Put into the editor', onclick: () => desk.put(q.sql, Number(q.epsilon) > 0 && !q.repeat ? q.epsilon : undefined) }, h('code', {}, oneLine(q.sql))),
    h('div', { class: 'asked-facts' }, outcome(q), h('span', {}, price(q)), (q.tables ?? []).length > 0 && h('span', { class: 'muted' }, q.tables.map(tableName).join(', ')), withAnalyst && h('span', {}, q.analyst), h('time', { class: 'muted', datetime: q.at, title: moment(q.at) }, ago(q.at))),
  );
}

export function historyPage(desk) {
  const place = h('div', {});
  const list = h('ul', { class: 'list card' });
  const more = h('div', { class: 'center' });
  async function next(before) {
    const found = await api.history({ database: desk.database, limit: 50, before });
    list.append(...found.questions.map((q) => asked(q, desk, desk.owner)));
    fill(more, found.next && h('button', { class: 'quiet', type: 'button', onclick: () => next(found.next) }, 'Older questions'));
    return found;
  }
  load(place, () => next(), (found) => found.questions.length === 0
    ? empty('Nothing asked yet', 'Every question that you ask is kept here with what it cost. Asking it again is free.')
    : [list, more]);
  return {
    element: h('main', { class: 'page' }, h('h1', {}, 'History'), h('p', { class: 'lead' }, desk.owner ? 'What everybody asked, newest first.' : 'What you asked, newest first.', ' The same question at the same ε gives the same answer again, free.'), place),
  };
}
