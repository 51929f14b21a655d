// Opens the page: who is signed in, which database, which page.
import * as api from './api.js';
import { fill, h } from './dom.js';
import { askPage } from './ask.js';
import { budgetPage } from './budget.js';
import { header } from './header.js';
import { historyPage } from './history.js';
import { savedPage } from './saved.js';
import { signInAgain, signInPage } from './signin.js';
import { empty, loading, problemBox } from './ui.js';

const app = document.getElementById('app');
const OWNER = {
  budgets: ['Budgets', () => import('./owner-budgets.js')],
  live: ['Live questions', () => import('./owner-live.js')],
  explain: ['Explain', () => import('./owner-explain.js')],
  metrics: ['Metrics', () => import('./owner-metrics.js')],
  audit: ['Audit', () => import('./owner-audit.js')],
  users: ['Users', () => import('./owner-users.js')],
};

let desk = null;
let leave = () => {};
let again = null;

function route() {
  const [path, parameters] = location.hash.slice(1).split('?');
  return { path: path || '/ask', parameters: new URLSearchParams(parameters ?? '') };
}

/** What a link carries beside the question; anything else than an object is nothing. */
function object(text) {
  try {
    const found = JSON.parse(text ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}

async function start() {
  try {
    const session = await api.session();
    if (session) await open(session);
    else signInPage(app, open);
  } catch (e) {
    fill(app, h('main', { class: 'page narrow' }, problemBox(e, start)));
  }
}

async function open(session) {
  fill(app, loading('Reading what may be asked …'));
  const wanted = route().parameters.get('db');
  const database = session.databases.includes(wanted) ? wanted : session.databases[0];
  if (database === undefined) {
    fill(app, h('main', { class: 'page narrow' }, empty('Nothing to ask about', 'No database is open to you. Ask the owner.')));
    return;
  }
  try {
    await sit(session, database);
  } catch (e) {
    fill(app, h('main', { class: 'page narrow' }, problemBox(e, () => open(session))));
  }
}

/** Sits down at a database: everything that the pages share. */
async function sit(session, database) {
  const [schema, budget] = await Promise.all([api.schema(database), api.budget(database)]);
  let accounts = budget.accounts;
  desk = {
    session,
    schema,
    database,
    owner: session.right === 'owner',
    accounts: () => accounts,
    async refreshBudget() {
      try {
        accounts = (await api.budget(database)).accounts;
        bar.budget(accounts);
      } catch {
        // The next look tells; an answer that is there is shown all the same.
      }
    },
    put(sql, epsilon, more) {
      location.hash = '#/ask';
      desk.ask.put(sql, epsilon, more);
    },
  };
  desk.ask = askPage(desk);
  const bar = header(desk, OWNER, { signOut, choose: (name) => sit(session, name) });
  bar.budget(accounts);
  desk.bar = bar;
  desk.place = h('div', { class: 'place', id: 'content' });
  fill(app, h('a', { class: 'skip', href: '#content', onclick: skip }, 'Skip to the page'), bar.element, desk.place);
  go();
}

function skip(event) {
  event.preventDefault();
  const target = desk.place.querySelector('h1, h2, main');
  target.tabIndex = -1;
  target.focus();
}

async function go() {
  if (!desk) return;
  const { path, parameters } = route();
  leave();
  leave = () => {};
  desk.bar.at(path);
  if (path.startsWith('/owner/')) return owner(path.slice('/owner/'.length));
  switch (path) {
    case '/history':
      return page('History', historyPage(desk));
    case '/saved':
      return page('Saved', savedPage(desk));
    case '/budget':
      return page('Budget', budgetPage(desk));
    case '/watches':
      return later('Watches', () => import('./watches.js'));
    default:
      document.title = 'Ask · FlexDP';
      fill(desk.place, desk.ask.element);
      if (parameters.has('q')) {
        desk.ask.put(parameters.get('q'), parameters.get('e') ?? undefined, { values: object(parameters.get('v')), labels: parameters.get('l') ?? '' });
        history.replaceState(null, '', '#/ask');
      } else {
        desk.ask.budgetChanged();
      }
  }
}

function page(title, made) {
  document.title = `${title} · FlexDP`;
  fill(desk.place, made.element);
  leave = made.leave ?? leave;
  scrollTo({ top: 0 });
}

async function owner(name) {
  const known = OWNER[name];
  if (!known || !desk.owner) {
    fill(desk.place, h('main', { class: 'page narrow' }, h('h1', {}, 'Not here'), empty('This page is for owners', 'Or there is no such page.')));
    return;
  }
  return later(...known);
}

/** A page that is fetched when it is first opened. */
async function later(title, fetched) {
  const at = location.hash;
  fill(desk.place, loading());
  const module = await fetched();
  if (location.hash === at) page(title, module.default(desk));
}

async function signOut() {
  try {
    await api.signOut();
  } finally {
    desk = null;
    leave();
    leave = () => {};
    location.hash = '#/ask';
    signInPage(app, open);
  }
}

/** The session has ended under the page: sign in over it and go on where one was. */
api.whenExpired(async () => {
  if (again !== null || desk === null) return;
  const before = desk.session;
  again = signInAgain(before.user);
  const session = await again;
  again = null;
  if (session.user !== before.user) await open(session);
  else {
    desk.session = session;
    await desk.refreshBudget();
    if (route().path === '/ask') desk.ask.judge();
    else go();
  }
});

addEventListener('hashchange', go);
start();
