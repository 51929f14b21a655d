import * as api from './api.js';
import { fill, h, icon } from './dom.js';
import { dialog, empty, field, load, problemBox, sure, toast } from './ui.js';

/** A secret that is shown this once. */
function secret(title, text, value) {
  dialog(title, h('p', {}, text), h('output', { class: 'secret' }, value), h('p', { class: 'muted' }, 'It is shown this once; only a hash is kept.'));
}

function addDialog(desk, done) {
  const name = h('input', { required: true, maxlength: 60, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none' });
  const right = h('select', {}, h('option', { value: 'analyst' }, 'analyst: asks questions'), h('option', { value: 'owner' }, 'owner: sees and grants everything'));
  const wrong = h('div');
  const box = dialog('Add a user', h('form', { class: 'stack', onsubmit: async (e) => {
    e.preventDefault();
    try {
      const made = await api.addUser({ name: name.value, right: right.value });
      box.close();
      secret(`${made.name} is added`, 'The password:', made.password);
      done();
    } catch (problem) {
      fill(wrong, problemBox(problem));
    }
  } }, field('Name', name), field('Right', right), wrong, h('button', { class: 'primary', type: 'submit' }, 'Add')));
}

function tokenDialog(user, done) {
  const name = h('input', { required: true, maxlength: 60, autocomplete: 'off', value: 'notebook' });
  const wrong = h('div');
  const box = dialog(`A token for ${user}`, h('form', { class: 'stack', onsubmit: async (e) => {
    e.preventDefault();
    try {
      const made = await api.addToken(user, name.value);
      box.close();
      secret(`Token ${made.name} of ${user}`, 'Programs send it as bearer token, psql as password:', made.token);
      done();
    } catch (problem) {
      fill(wrong, problemBox(problem));
    }
  } }, field('Name of the token', name, 'By which it is listed and revoked.'), wrong, h('button', { class: 'primary', type: 'submit' }, 'Create')));
}

function userRow(u, desk, done) {
  const token = (t) => h('span', { class: 'token' }, t, h('button', { class: 'bare', type: 'button', 'aria-label': `Revoke token ${t} of ${u.name}`, onclick: () => sure('Revoke', `Programs that use ${t} of ${u.name} can ask no more.`, async () => {
    await api.removeToken(u.name, t);
    toast('Revoked.');
    done();
  }) }, icon('cross')));
  return h('tr', {}, h('td', {}, h('strong', {}, u.name)), h('td', {}, h('span', { class: 'badge' }, u.right)), h('td', {}, (u.databases ?? []).join(', ') || h('span', { class: 'muted' }, 'all')), h('td', {}, (u.tokens ?? []).map(token)),
    h('td', { class: 'actions' },
      h('button', { class: 'quiet small', type: 'button', 'aria-label': `New token for ${u.name}`, onclick: () => tokenDialog(u.name, done) }, icon('key'), 'Token'),
      h('button', { class: 'quiet small', type: 'button', 'aria-label': `New password for ${u.name}`, onclick: () => sure('New password', `The old password of ${u.name} stops working, and ${u.name} is signed out.`, async () => {
        const made = await api.newPassword(u.name);
        secret(`New password of ${u.name}`, 'The password:', made.password);
      }) }, 'Password'),
      u.name !== desk.session.user && h('button', { class: 'quiet small danger', type: 'button', 'aria-label': `Remove ${u.name}`, onclick: () => sure('Remove', `${u.name} can sign in no more. The ledger keeps what ${u.name} was charged.`, async () => {
        await api.removeUser(u.name);
        toast('Removed.');
        done();
      }) }, 'Remove')));
}

function failures(found, desk, done) {
  const stopped = (found.analysts ?? []).filter((a) => a.recent > 0);
  if (stopped.length === 0) return null;
  return h('section', { class: 'card pad' }, h('h2', {}, 'Failures'), h('p', { class: 'muted' }, 'Questions that fail in the database may tell something by failing; after some the analyst waits for you.'),
    h('ul', { class: 'failures' }, stopped.map((a) => h('li', {}, h('strong', {}, a.analyst), ` ${a.recent} of ${a.atMost ?? '∞'} `, a.stopped && h('span', { class: 'badge warn' }, 'stopped'), ' ',
      h('button', { class: 'quiet small', type: 'button', onclick: () => sure('Clear failures', `${a.analyst} may ask again.`, async () => {
        await api.clearFailures({ database: desk.database, analyst: a.analyst, note: 'cleared on the console' });
        done();
      }) }, 'Clear')))));
}

export default function usersPage(desk) {
  const place = h('div', { class: 'stack' });
  const show = () => load(place, () => Promise.all([api.users(), api.failures(desk.database)]), ([found, failed]) => [
    found.users.length === 0 ? empty('No users', 'Add one.') : h('div', { class: 'card scroll-x', tabindex: 0, role: 'region', 'aria-label': 'Users' }, h('table', { class: 'plain' },
      h('thead', {}, h('tr', {}, ['Name', 'Right', 'Databases', 'Tokens'].map((t) => h('th', { scope: 'col' }, t)), h('th', { scope: 'col' }, h('span', { class: 'sr' }, 'Actions')))),
      h('tbody', {}, found.users.map((u) => userRow(u, desk, show))))),
    failures(failed, desk, show),
  ]);
  show();
  return { element: h('main', { class: 'page wide' }, h('div', { class: 'title-line' }, h('h1', {}, 'Users'), h('span', { class: 'space' }), h('button', { class: 'primary', type: 'button', onclick: () => addDialog(desk, show) }, 'Add a user')), h('p', { class: 'lead' }, 'Who may sign in here, over the HTTP API and the PostgreSQL protocol.'), place) };
}
