// Numbers, costs and times as people read them.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const some = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A number of an answer or an error, with the digits that mean something. */
export function number(value) {
  const n = Number(value);
  if (!Number.isFinite(n)) return String(value);
  if (n !== 0 && (Math.abs(n) < 0.0001 || Math.abs(n) >= 1e15)) return n.toPrecision(3);
  return Number.isInteger(n) || Math.abs(n) >= 10000 ? whole.format(n) : some.format(n);
}

/** A number on an axis. */
export function tick(value) {
  return Math.abs(value) >= 10000 ? compact.format(value) : some.format(value);
}

/** ε or δ: exact as far as the server said. */
export function cost(value) {
  if (value === null || value === undefined) return '–';
  const n = Number(value);
  if (!Number.isFinite(n)) return String(value);
  if (n === 0) return '0';
  return n < 0.0001 ? n.toExponential().replace('e-', 'e−') : some.format(n);
}

/** A value of a table as text. */
export function cell(value) {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const minutes = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** A moment, as a date and time of this machine's zone. */
export function moment(text) {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? String(text) : minutes.format(at);
}

/** How long ago. */
export function ago(text, now = Date.now()) {
  const seconds = (new Date(text).getTime() - now) / 1000;
  if (!Number.isFinite(seconds)) return '';
  for (const [unit, size] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return 'just now';
}

/** One line of a question. */
export function oneLine(sql) {
  return sql.replace(/\s+/g, ' ').trim();
}

export function plural(count, one, many = one + 's') {
  return `${whole.format(count)} ${count === 1 ? one : many}`;
}
