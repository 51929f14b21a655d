// The bar at the top: where one is, whose budget is left, and who is signed in.
import { fill, h, icon } from './dom.js';
import { cost } from './format.js';
import { mark } from './signin.js';
import * as store from './store.js';
import { accountName, left as notSpent } from './ui.js';

const PAGES = { '/ask': 'Ask', '/history': 'History', '/saved': 'Saved', '/watches': 'Watches', '/budget': 'Budget' };

function dark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function themeButton() {
  const button = h('button', { class: 'bare', type: 'button', onclick: () => {
    const next = dark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    store.theme(next);
    show();
  } });
  function show() {
    button.setAttribute('aria-label', dark() ? 'Light colours' : 'Dark colours');
    fill(button, icon(dark() ? 'sun' : 'moon'));
  }
  show();
  return button;
}

/** Leads to the manual, where the server has it. */
function help() {
  const manual = document.querySelector('meta[name="manual"]')?.content;
  return manual ? h('a', { class: 'bare', href: manual, target: '_blank', rel: 'noopener', 'aria-label': 'Manual', title: 'Manual' }, icon('help')) : null;
}

/** The account with the least left, of those that have a budget. */
export function scarcest(accounts) {
  const bounded = accounts.filter((a) => a.epsilon?.budget !== undefined);
  return bounded.sort((a, b) => notSpent(a.epsilon) / a.epsilon.budget - notSpent(b.epsilon) / b.epsilon.budget)[0];
}

export function header(desk, ownerPages, { signOut, choose }) {
  const links = new Map();
  const anchor = (path, name) => {
    const a = h('a', { href: `#${path}` }, name);
    links.set(path, a);
    return a;
  };
  const left = h('a', { class: 'budget-chip', href: '#/budget' });
  const menu = h('nav', { class: 'nav', id: 'nav', 'aria-label': 'Pages' }, Object.entries(PAGES).map(([p, n]) => anchor(p, n)));
  const owner = desk.owner && h('nav', { class: 'nav owner-nav', 'aria-label': 'Owner pages' }, h('span', { class: 'nav-title' }, 'Owner'), Object.entries(ownerPages).map(([p, [n]]) => anchor(`/owner/${p}`, n)));
  const databases = desk.session.databases;
  const where = databases.length > 1
    ? h('select', { class: 'database', 'aria-label': 'Database', onchange: (e) => choose(e.target.value) }, databases.map((d) => h('option', { value: d, selected: d === desk.database }, d)))
    : h('span', { class: 'database' }, desk.database);
  return {
    element: h(
      'header',
      { class: 'top' },
      h('div', { class: 'top-line' },
        h('a', { class: 'wordmark', href: '#/ask' }, mark(), 'FlexDP'), where, menu, h('span', { class: 'space' }), left, help(), themeButton(),
        h('span', { class: 'who' }, desk.session.user), h('button', { class: 'bare', type: 'button', 'aria-label': `Sign out ${desk.session.user}`, title: 'Sign out', onclick: signOut }, icon('out'))),
      owner,
    ),
    at(path) {
      for (const [p, a] of links) {
        if (p !== path) a.removeAttribute('aria-current');
        else {
          a.setAttribute('aria-current', 'page');
          a.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        }
      }
    },
    budget(accounts) {
      const least = scarcest([...accounts]);
      left.hidden = !least;
      if (!least) return;
      const share = notSpent(least.epsilon) / least.epsilon.budget;
      left.classList.toggle('low', share < 0.1);
      left.title = `${accountName(least.account)} has the least left`;
      fill(left, h('span', { class: 'sr' }, 'Budget left: '), `ε ${cost(notSpent(least.epsilon))} left`);
    },
  };
}
