// What the server says of a question before it is asked: may it be, what will it cost, how wrong will it be.
import { h, icon } from './dom.js';
import { cost, number, plural } from './format.js';
import { accountName, meter } from './ui.js';

function place(verdict, goTo) {
  if (verdict.line === undefined) return null;
  const words = `line ${verdict.line}, column ${verdict.column}`;
  return verdict.from === undefined
    ? h('span', { class: 'muted' }, words)
    : h('button', { class: 'linkish', type: 'button', onclick: () => goTo(verdict.from) }, words);
}

function rejected(verdict, { goTo, apply }) {
  return h(
    'div',
    { class: 'verdict bad' },
    icon('alert'),
    h(
      'div',
      {},
      h('p', { class: 'verdict-message' }, verdict.message, ' ', place(verdict, goTo)),
      verdict.hint && h('p', { class: 'verdict-hint' }, verdict.hint),
      (verdict.fixes ?? []).length > 0 &&
        h('div', { class: 'fixes' }, verdict.fixes.map((fix) => h('button', { class: 'quiet small fix', type: 'button', onclick: () => apply(fix) }, icon('wand'), fix.title))),
      h('p', { class: 'problem-code' }, verdict.code),
    ),
  );
}

/** The accounts that a question is charged to, which have a budget. */
export function concerned(verdict, accounts) {
  const charged = new Set(verdict.charged ?? []);
  return accounts.filter((a) => a.epsilon?.budget !== undefined && (charged.has(a.account) || charged.has(accountName(a.account)) || charged.has(a.account.split(':').slice(1).join(':')) || a.account.startsWith('analyst:') || a.account.startsWith('role:')));
}

/** What the command line is told to ask for, the page always asks for. */
function onPage(words) {
  return words.replace(': ask with --intervals', ' and comes with it');
}

function errors(verdict) {
  const known = verdict.errors ?? [];
  if (known.length === 0) return null;
  return h(
    'div',
    { class: 'forecast' },
    h('h3', {}, 'Expected error'),
    h('ul', { class: 'errors' }, known.map((e) => h('li', {}, h('code', {}, e.column), ' ',
      e.error !== undefined && e.error !== null ? [h('strong', {}, `± ${number(e.error)}`), h('span', { class: 'muted' }, ' in 95 of 100 answers')] : h('span', { class: 'muted' }, onPage(e.words))))),
  );
}

/** What should be known before paying; what is free is as good as it was. */
function warnings(verdict) {
  if (verdict.repeat) return [];
  return (verdict.warnings ?? []).map((words) => h('p', { class: 'verdict-warning', role: 'status' }, icon('alert'), h('span', {}, words)));
}

function price(verdict, accounts) {
  const free = (verdict.charged ?? []).length === 0 || verdict.repeat;
  const rows = concerned(verdict, accounts);
  return h(
    'div',
    { class: 'forecast' },
    h('h3', {}, 'Cost'),
    free
      ? h('p', {}, h('strong', {}, 'Free'), h('span', { class: 'muted' }, verdict.repeat ? ' · asked before, so the same answer is given again' : ' · only public tables are read'))
      : h('p', {}, h('strong', {}, `ε ${cost(verdict.cost.epsilon)}`), Number(verdict.cost.delta) > 0 && `, δ ${cost(verdict.cost.delta)}`, h('span', { class: 'muted' }, ` on ${verdict.charged.map(accountName).join(', ')}`)),
    !free && rows.map((a) => h('div', { class: 'left' }, meter(a, verdict.cost.epsilon),
      h('span', { class: 'muted' }, `${accountName(a.account)}: ε ${cost(a.epsilon.largestNext)} of ${cost(a.epsilon.budget)} left`),
      Number(verdict.cost.epsilon) > Number(a.epsilon.largestNext) && h('span', { class: 'short' }, 'Not enough for this question. Take a smaller ε, or ask the owner for more.'))),
  );
}

function rules(verdict) {
  const lines = verdict.rules ?? [];
  return lines.length === 0 ? null : h('details', { class: 'rules' }, h('summary', {}, icon('chevron'), 'How the noise is worked out'),
    h('ul', { class: 'noise' }, (verdict.noise ?? []).map((n) => h('li', {}, h('code', {}, n.aggregate), ` sensitivity ${n.formula}, `, n.mechanism ? `${n.mechanism} noise` : 'no mechanism is usable yet'))),
    h('pre', { class: 'tree', tabindex: 0, 'aria-label': 'Rule at each operator' }, lines.join('\n')));
}

function accepted(verdict, accounts) {
  const unusable = Boolean(verdict.hint);
  return h(
    'div',
    { class: unusable ? 'verdict wait' : 'verdict good' },
    icon(unusable ? 'alert' : 'check'),
    h(
      'div',
      {},
      h('p', { class: 'verdict-message' }, unusable ? 'It cannot be asked yet.' : 'This question may be asked.', ' ', h('span', { class: 'muted' }, plural((verdict.columns ?? []).length, 'column'), labelWords(verdict))),
      unusable && h('p', { class: 'verdict-hint' }, verdict.hint),
      warnings(verdict),
      h('div', { class: 'forecasts' }, errors(verdict), price(verdict, accounts)),
      rules(verdict),
    ),
  );
}

function labelWords(verdict) {
  if ((verdict.charged ?? []).length === 0 || !verdict.labels) return '';
  return verdict.labels === 'none' ? ', one row' : `, labels ${verdict.labels}`;
}

/** Whether the question may be sent. */
export function askable(verdict) {
  return verdict?.status === 'accepted' && !verdict.hint;
}

/** The verdict for people; null while there is no question. */
export function verdictView(verdict, accounts, deeds) {
  if (verdict === null) return h('p', { class: 'muted pad' }, 'Write a question, or choose one. The verdict appears while you type; only asking costs.');
  if (verdict.status === 'open') return h('p', { class: 'muted pad' }, verdict.message);
  return verdict.status === 'accepted' ? accepted(verdict, accounts) : rejected(verdict, deeds);
}
