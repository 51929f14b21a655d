import * as api from './api.js';
import { h } from './dom.js';
import { cost, plural } from './format.js';
import { accountName, empty, left, load, meter } from './ui.js';

/** An account: how much is left, with what it means. */
export function accountCard(account, ...more) {
  const e = account.epsilon ?? {};
  const bounded = e.budget !== undefined;
  return h(
    'li',
    { class: 'account card' },
    h('div', { class: 'account-head' }, h('h2', {}, accountName(account.account)), h('span', { class: 'muted' }, plural(account.charges ?? 0, 'question'))),
    bounded
      ? [
          h('p', { class: 'account-left' }, h('strong', {}, `ε ${cost(left(e))}`), h('span', { class: 'muted' }, ` left of ${cost(e.budget)}`)),
          meter(account),
          h('p', { class: 'muted small-text' }, [
            `Spent ε ${cost(e.spent)}`,
            account.delta?.budget !== undefined && `δ ${cost(account.delta.spent)} of ${cost(account.delta.budget)}`,
            account.composition && `${account.composition} composition`,
            account.windowDays && `over ${plural(account.windowDays, 'day')}`,
            account.window && `per calendar ${account.window}`,
            account.comesBack && `some comes back ${new Date(account.comesBack).toLocaleString()}`,
          ].filter(Boolean).join(' · ')),
          account.answersLeft !== undefined && h('p', { class: 'muted small-text' }, `Enough for ${plural(account.answersLeft, 'more answer')}; for one alone, ε ${cost(e.largestNext)} at most.`),
        ]
      : h('p', { class: 'muted' }, `ε ${cost(e.spent)} spent; counted, without a limit.`),
    ...more,
  );
}

export function budgetPage(desk) {
  const place = h('div');
  load(place, () => api.budget(desk.database), (found) => found.accounts.length === 0
    ? empty('No accounts', 'Nothing here is protected, so nothing is charged.')
    : h('ul', { class: 'accounts' }, found.accounts.map((a) => accountCard(a))));
  return {
    element: h('main', { class: 'page' }, h('h1', {}, 'Budget'),
      h('p', { class: 'lead' }, 'Every new answer tells a little about the protected rows; ε counts how much. When an account is used up, only repeats and public tables are answered.'), place),
  };
}
