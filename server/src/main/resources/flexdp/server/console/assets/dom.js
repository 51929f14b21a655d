// Elements are made here and nowhere else. Text is always text: there is no way to pass HTML.

const SVG = 'http://www.w3.org/2000/svg';

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** An element: attributes, `on…` listeners, `class`, and properties that start with a dot. */
export function h(name, attributes = {}, ...children) {
  return append(dress(document.createElement(name), attributes), children);
}

/** The same for SVG. */
export function s(name, attributes = {}, ...children) {
  return append(dress(document.createElementNS(SVG, name), attributes), children);
}

function dress(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2), value);
    } else if (key.startsWith('.')) {
      element[key.slice(1)] = value;
    } else {
      element.setAttribute(key, value === true ? '' : String(value));
    }
  }
  return element;
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** A line icon; decorative, so its button has a label. */
export function icon(name) {
  const svg = s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' });
  for (const d of ICONS[name]) svg.append(s('path', { d }));
  return svg;
}

const ICONS = {
  sun: ['M12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10', 'M12 1v2M12 21v2M4.2 4.200l1.4 1.400M18.4 18.400l1.4 1.400M1 12h2M21 12h2M4.2 19.800l1.4-1.400M18.4 5.600l1.4-1.4'],
  moon: ['M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10z'],
  check: ['M20 6L9 17l-5-5'],
  cross: ['M18 6L6 18M6 6l12 12'],
  alert: ['M12 3l10 18H2z', 'M12 10v5M12 18v.1'],
  table: ['M3 5h18v14H3z', 'M3 10h18M9 10v9'],
  chart: ['M4 20V4M4 20h16', 'M8 16v-5M13 16V8M18 16v-3'],
  save: ['M6 3h12v18l-6-4.500L6 21z'],
  link: ['M10 14a4 4 0 0 0 5.7 0l4-4a4 4 0 0 0-5.7-5.700l-1.2 1.2', 'M14 10a4 4 0 0 0-5.7 0l-4 4A4 4 0 0 0 10 19.700l1.2-1.2'],
  download: ['M12 4v11M7 11l5 5l5-5M4 20h16'],
  lock: ['M6 11h12v9H6z', 'M8.5 11V8a3.5 3.5 0 0 1 7 0v3'],
  open: ['M3 12h18', 'M12 3a14 14 0 0 1 0 18a14 14 0 0 1 0-18', 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18'],
  chevron: ['M9 6l6 6l-6 6'],
  menu: ['M4 7h16M4 12h16M4 17h16'],
  key: ['M14.5 9.500a4 4 0 1 0-4 4a4 4 0 0 0 2.8-1.200L20 19v-3M17 16l-2 2'],
  out: ['M14 4h6v16h-6', 'M4 12h11M11 8l4 4l-4 4'],
  wand: ['M4 20L15 9M13 3v3M11.5 4.500h3M19 8v3M17.5 9.500h3M18 15v2M17 16h2'],
  play: ['M7 4l13 8l-13 8z'],
  help: ['M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 17.500v.1', 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18'],
};
