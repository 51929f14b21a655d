import * as api from './api.js';
import { accountCard } from './budget.js';
import { fill, h } from './dom.js';
import { accountName, dialog, empty, field, load, problemBox, toast } from './ui.js';

function grantDialog(desk, account, done) {
  const epsilon = h('input', { type: 'number', min: 0, step: 'any', required: true, value: 1, inputmode: 'decimal' });
  const delta = h('input', { type: 'number', min: 0, step: 'any', value: 0, inputmode: 'decimal' });
  const note = h('input', { maxlength: 300, required: true });
  const wrong = h('div');
  const button = h('button', { class: 'primary', type: 'submit' }, 'Grant');
  const box = dialog(`Grant more to ${accountName(account)}`, h('form', { class: 'stack', onsubmit: async (e) => {
    e.preventDefault();
    button.disabled = true;
    try {
      await api.grant({ database: desk.database, account, epsilon: Number(epsilon.value), delta: Number(delta.value), note: note.value });
      box.close();
      toast(`Granted ε ${epsilon.value} to ${accountName(account)}.`);
      await desk.refreshBudget();
      done();
    } catch (problem) {
      fill(wrong, problemBox(problem));
    } finally {
      button.disabled = false;
    }
  } }, field('ε to add', epsilon), field('δ to add', delta), field('Why', note, 'It stands in the ledger for good; a grant cannot be taken back.'), wrong, button));
  epsilon.select();
}

export default function budgetsPage(desk) {
  const place = h('div');
  const show = () => load(place, () => api.budgets(desk.database), (found) => found.accounts.length === 0
    ? empty('No accounts', 'Nothing has been charged and nothing is protected.')
    : h('ul', { class: 'accounts' }, found.accounts.map((a) => accountCard(a,
      a.epsilon?.budget !== undefined && h('button', { class: 'quiet small', type: 'button', 'aria-label': `Grant more to ${accountName(a.account)}`, onclick: () => grantDialog(desk, a.account, show) }, 'Grant more')))));
  show();
  return { element: h('main', { class: 'page' }, h('h1', {}, 'Budgets'), h('p', { class: 'lead' }, 'Every account of this policy. A grant weakens the guarantee for everybody in the table by as much; the ledger remembers who granted it and why.'), place) };
}
