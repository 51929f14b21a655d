import * as api from './api.js';
import { h } from './dom.js';
import { cell, moment, oneLine, plural } from './format.js';
import { empty, load } from './ui.js';

const APART = ['at', 'event', 'user', 'sql'];

function fact(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function chain(c) {
  return h('section', { class: 'card pad' }, h('h2', {}, 'The ledger'), h('dl', { class: 'facts-line' },
    fact('Entries', c.entries), fact('Charges', c.charges), fact('Grants', c.grants), fact('Unsettled', c.unsettled),
    fact('Outcomes', Object.entries(c.outcomes ?? {}).map(([k, n]) => `${n} ${k}`).join(', ') || 'none yet'),
    c.first && fact('First', moment(c.first)), c.last && fact('Last', moment(c.last))),
  c.head && h('p', { class: 'muted small-text' }, 'Head of the chain ', h('code', { class: 'hash' }, c.head)));
}

function row(e) {
  const rest = Object.entries(e).filter(([k, v]) => !APART.includes(k) && v !== null && v !== '').map(([k, v]) => `${k} ${cell(v)}`).join(' · ');
  return h('tr', {}, h('td', { class: 'nowrap' }, moment(e.at)), h('td', {}, h('span', { class: 'badge' }, e.event)), h('td', {}, e.user ?? ''),
    h('td', {}, e.sql && h('code', {}, oneLine(e.sql)), e.sql && rest && h('br'), h('span', { class: 'muted small-text' }, rest)));
}

export default function auditPage(desk) {
  const place = h('div', { class: 'stack' });
  load(place, () => api.audit(desk.database), (found) => [
    found.chain && chain(found.chain),
    found.events.length === 0
      ? empty('Nothing happened yet', 'Logins, questions and changes are listed here.')
      : h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('h2', {}, 'At the door'), h('span', { class: 'muted' }, `the last ${plural(found.events.length, 'event')}`)),
        h('div', { class: 'scroll-x', tabindex: 0, role: 'region', 'aria-label': 'Events' }, h('table', { class: 'plain' }, h('thead', {}, h('tr', {}, ['When', 'What', 'Who', 'Details'].map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, found.events.map(row))))),
  ]);
  return { element: h('main', { class: 'page wide' }, h('h1', {}, 'Audit'), h('p', { class: 'lead' }, 'Who did what, and whether the ledger is whole. No data stands here.'), place) };
}
