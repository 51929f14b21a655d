// Numbers that are compared with a threshold in every period: paid for once, misses are free.
import * as api from './api.js';
import { fill, h } from './dom.js';
import { ago, cost, moment, number, oneLine, plural } from './format.js';
import { dialog, empty, field, load, problemBox, sure, toast } from './ui.js';

const SHOWN = 6;
const FOUND = { hit: 'above', miss: 'not above', failed: 'failed', unfinished: 'not finished' };
const STATES = { armed: 'good', closed: '', lost: 'warn' };

function turn(t) {
  return h('li', {}, h('time', { class: 'muted' }, t.from.replace('T', ' ')), ' ', h('span', { class: `badge ${t.verdict === 'hit' ? 'warn' : ''}` }, FOUND[t.verdict] ?? t.verdict),
    t.gap !== undefined && h('span', {}, ` by about ${number(t.gap)}`));
}

function watchItem(w, desk, done) {
  const latest = w.turns.slice(-SHOWN).reverse();
  return h(
    'li',
    { class: 'asked' },
    h('div', { class: 'asked-sql' }, h('span', { class: 'try-title' }, w.name), h('code', {}, oneLine(w.sql))),
    h('div', { class: 'asked-facts' }, h('span', { class: `badge ${STATES[w.state] ?? ''}` }, w.state),
      w.above !== undefined && h('span', {}, `above ${number(w.above)}, every ${w.every}`),
      w.hits > 1 && h('span', { class: 'muted' }, `until ${plural(w.hits, 'hit')}`),
      h('span', {}, `ε ${cost(w.spent.epsilon)}`), h('time', { class: 'muted', datetime: w.armed, title: moment(w.armed) }, `armed ${ago(w.armed)}`),
      w.state === 'armed' && h('button', { class: 'quiet small', type: 'button', 'aria-label': `Close ${w.name}`, onclick: () => sure('Close the watch', `${w.name} looks no more. What it cost stays spent.`, async () => {
        await api.removeWatch(w.name, desk.database);
        toast('Closed.');
        done();
      }) }, 'Close')),
    latest.length > 0 && h('ul', { class: 'turns' }, latest.map(turn)),
    w.note && h('p', { class: 'turns muted' }, w.note),
  );
}

function armDialog(desk, done) {
  const name = h('input', { required: true, maxlength: 60, autocomplete: 'off', spellcheck: 'false' });
  const sql = h('textarea', { required: true, rows: 4, class: 'labels', spellcheck: 'false', '.value': desk.ask.text() });
  const above = h('input', { type: 'number', step: 'any', required: true, inputmode: 'decimal' });
  const every = h('select', {}, ['hour', 'day', 'week', 'month'].map((p) => h('option', { value: p, selected: p === 'day' }, p)));
  const epsilon = h('input', { type: 'number', min: 0, step: 'any', required: true, inputmode: 'decimal', value: desk.schema.defaults.epsilon });
  const wrong = h('div');
  const button = h('button', { class: 'primary', type: 'submit' }, 'Arm');
  const box = dialog('Arm a watch', h('form', { class: 'stack', onsubmit: async (e) => {
    e.preventDefault();
    button.disabled = true;
    try {
      await api.addWatch({ database: desk.database, name: name.value, sql: sql.value, above: Number(above.value), every: every.value, epsilon: Number(epsilon.value) });
      box.close();
      toast(`Armed for ε ${epsilon.value}.`);
      await desk.refreshBudget();
      done();
    } catch (problem) {
      fill(wrong, problemBox(problem));
    } finally {
      button.disabled = false;
    }
  } }, field('Name', name, 'Letters, digits, dots and dashes.'), field('One COUNT or SUM', sql, ':now is the beginning of the period.'), field('Above', above), field('Every', every),
  field('ε, charged now and in full', epsilon), wrong, button));
}

export default function watchesPage(desk) {
  const place = h('div', {});
  const show = () => load(place, () => api.watches(desk.database), (found) => found.watches.length === 0
    ? empty('No watches', 'A watch says in each period whether a count or sum is above a threshold.')
    : h('ul', { class: 'list card' }, found.watches.map((w) => watchItem(w, desk, show))));
  const look = h('button', { class: 'quiet', type: 'button', onclick: async () => {
    look.disabled = true;
    try {
      await api.runWatches(desk.database);
      await show();
    } catch (e) {
      fill(place, problemBox(e, show));
    } finally {
      look.disabled = false;
    }
  } }, 'Look now');
  show();
  return {
    element: h('main', { class: 'page' }, h('div', { class: 'title-line' }, h('h1', {}, 'Watches'), h('span', { class: 'space' }), look, h('button', { class: 'primary', type: 'button', onclick: () => armDialog(desk, show) }, 'Arm a watch')),
      h('p', { class: 'lead' }, 'A watch is paid for once. It looks once in each period, by itself within half a minute or when you choose Look now; that a number is not above costs nothing. By how much one is above is more often shown too large than too small.'), place),
  };
}
