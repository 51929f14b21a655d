// Looks for all words in the sections of the manual; titles weigh more than text. PAGES is written by DocsSite.
'use strict';
(function () {
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const up = document.body.dataset.up;
  const lower = PAGES.map(page => [page[0], ...page.slice(1).map(part => part.toLowerCase())]);
  if (matchMedia('(max-width: 50rem)').matches) document.querySelector('nav details').open = false;

  function score(page, words) {
    let sum = 0;
    for (const word of words) {
      const points = (page[1].includes(word) ? 6 : 0) + (page[2].includes(word) ? 10 : 0) + Math.min(3, page[3].split(word).length - 1);
      if (points === 0) return 0;
      sum += points;
    }
    // What was once, or is kept out, is rarely what is looked for.
    return /CHANGELOG|history|attacks|docs\/adr\//.test(page[0]) ? sum / 4 : sum;
  }

  function entry(page, words) {
    const link = document.createElement('a');
    link.href = up + page[0];
    const title = document.createElement('strong');
    title.textContent = page[2];
    const text = document.createElement('small');
    const at = Math.max(0, page[3].toLowerCase().indexOf(words[0]) - 60);
    text.textContent = page[1] + ': ' + (at > 0 ? '…' : '') + page[3].slice(at, at + 160) + '…';
    link.append(title, text);
    const item = document.createElement('li');
    item.append(link);
    return item;
  }

  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(word => word.length > 0);
    const hits = words.length === 0 ? [] : lower.map((page, i) => [score(page, words), i]).filter(hit => hit[0] > 0);
    hits.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    found.replaceChildren(...hits.slice(0, 12).map(hit => entry(PAGES[hit[1]], words)));
    if (words.length > 0 && hits.length === 0) found.textContent = 'Nothing found.';
    found.hidden = words.length === 0;
  }

  input.addEventListener('input', search);
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') {
      found.hidden = true;
    } else if (event.key === 'Enter' && document.activeElement === input && found.querySelector('a')) {
      found.querySelector('a').click();
    }
  });
  found.addEventListener('click', () => { found.hidden = true; });
})();
