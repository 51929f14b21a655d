// What may be asked about: tables, columns, labels, ranges, and what is protected.
import { fill, h, icon } from './dom.js';
import { cell, plural } from './format.js';

const FEW = 12;

function range(column) {
  if (!column.range) return null;
  const [low, high] = column.range;
  return h('p', { class: 'fact' }, h('span', { class: 'fact-name' }, 'Range'), `${cell(low)} to ${cell(high)}`);
}

function labels(column, insert) {
  if (!column.labels || column.labels.length === 0) return null;
  const text = (v) => (typeof v === 'string' ? `'${v.replaceAll("'", "''")}'` : cell(v));
  const chip = (v) => h('button', { class: 'chip', type: 'button', title: `Insert ${text(v)}`, onclick: () => insert(text(v)) }, v === null ? 'NULL' : cell(v));
  const place = h('span', { class: 'chips' }, column.labels.slice(0, FEW).map(chip));
  if (column.labels.length > FEW || column.moreLabels) {
    const many = column.moreLabels ? `more than ${column.labels.length}` : column.labels.length;
    place.append(h('button', { class: 'chip more', type: 'button', onclick: () => fill(place, column.labels.map(chip)) }, `all ${many}`));
  }
  return h('p', { class: 'fact' }, h('span', { class: 'fact-name' }, 'Labels'), place);
}

function facts(column, insert) {
  return [
    range(column),
    labels(column, insert),
    column.references && h('p', { class: 'fact' }, h('span', { class: 'fact-name' }, 'Refers to'), h('code', {}, column.references)),
    column.individual && h('p', { class: 'fact' }, 'Tells individuals apart: join, count or group by it, nothing else.'),
  ].filter(Boolean);
}

function columnItem(column, insert) {
  const more = facts(column, insert);
  const name = h('button', { class: 'column-name', type: 'button', title: `Insert ${column.name}`, onclick: () => insert(column.name) }, column.name);
  const marks = [column.unique && h('span', { class: 'tag', title: 'No value occurs twice' }, 'unique'), column.nullable !== false && h('span', { class: 'tag faint', title: 'May be NULL' }, 'null')];
  return h('li', { class: 'column' }, h('div', { class: 'column-line' }, name, h('span', { class: 'type' }, column.type), ...marks), more.length > 0 && h('div', { class: 'facts' }, more));
}

function protection(table) {
  if (!table.protected) return h('span', { class: 'tag' }, icon('open'), 'public');
  const who = table.unit === 'people' || (table.people ?? []).length > 0 ? (table.people ?? []).join(', ') || 'people' : 'each row';
  return h('span', { class: 'tag protected', title: `Protected: noise hides ${who}` }, icon('lock'), who);
}

function tableItem(table, insert, open) {
  return h(
    'details',
    { class: 'table-item', open, 'data-name': table.name.toLowerCase() },
    h('summary', {}, icon('chevron'), h('span', { class: 'table-name' }, table.name), protection(table)),
    h('p', { class: 'table-about' }, table.protected ? 'Answers are noisy and cost ε. ' : 'Not protected; free to read. ', plural(table.columns.length, 'column'), '.',
      h('button', { class: 'linkish', type: 'button', onclick: () => insert(table.name) }, 'Insert name')),
    h('ul', { class: 'columns' }, table.columns.map((c) => columnItem(c, insert))),
    (table.unique ?? []).length > 0 && h('p', { class: 'fact' }, h('span', { class: 'fact-name' }, 'Unique together'), table.unique.map((key) => key.join(', ')).join('; ')),
  );
}

/** The browser; `insert` puts a name or label into the question. */
export function schemaBrowser(schema, insert) {
  const items = schema.tables.map((t, i) => tableItem(t, insert, i === 0));
  const nothing = h('p', { class: 'muted pad', hidden: true }, 'No table or column is called that.');
  const find = h('input', {
    type: 'search', class: 'schema-find', placeholder: 'Find a table or column', 'aria-label': 'Find a table or column',
    oninput: () => {
      const word = find.value.trim().toLowerCase();
      let some = false;
      items.forEach((item, i) => {
        const inside = schema.tables[i].columns.some((c) => c.name.toLowerCase().includes(word));
        item.hidden = word !== '' && !inside && !item.dataset.name.includes(word);
        some ||= !item.hidden;
        if (word !== '') item.open = inside;
        for (const li of item.querySelectorAll('.column')) {
          li.hidden = word !== '' && inside && !li.querySelector('.column-name').textContent.toLowerCase().includes(word);
        }
      });
      nothing.hidden = some;
    },
  });
  return [h('div', { class: 'schema-head' }, h('h2', {}, 'Tables'), h('span', { class: 'muted' }, schema.database)), find, items, nothing];
}
