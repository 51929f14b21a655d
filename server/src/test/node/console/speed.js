// How soon the page can be used, how large it is, and how a long answer scrolls. node speed.js URL USER PASSWORD
// Prints one JSON object: medians and worst cases in milliseconds, and kB as they come over the wire.
const { Browser, ask } = require('./browser.js');

const ROUNDS = 9;
const LONG = 'SELECT a.id AS a, b.id AS b, c.name AS city FROM cities a CROSS JOIN cities b CROSS JOIN cities c';

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Opens the page with an empty cache, until it takes what is typed into this place. */
async function opened(context, url, place) {
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  wire.on('Network.loadingFinished', (e) => (bytes += e.encodedDataLength));
  const begun = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(place).click();
  const took = performance.now() - begun;
  await page.waitForLoadState('networkidle');
  await page.close();
  return { took, kB: bytes / 1000 };
}

async function openings(context, url, place) {
  const all = [];
  for (let i = 0; i <= ROUNDS; i++) all.push(await opened(context, url, place));
  const counted = all.slice(1); // the first starts the browser's own processes
  return { median: median(counted.map((o) => o.took)), worst: Math.max(...counted.map((o) => o.took)), kB: Math.max(...all.map((o) => o.kB)) };
}

/** Scrolls in steps, each after the last was drawn; what keeps the page from drawing keeps a person waiting. */
function scrolled(page, steps, jump) {
  return page.evaluate(async ([count, whole]) => {
    const place = document.querySelector('.grid-scroll');
    const frames = [];
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    place.scrollTop = 0;
    await drawn();
    for (let i = 1; i <= count; i++) {
      const begun = performance.now();
      if (whole) place.scrollTop = (place.scrollHeight - place.clientHeight) * (((i * 7919) % count) / count);
      else place.scrollTop += place.clientHeight;
      await drawn();
      await drawn();
      frames.push(performance.now() - begun);
    }
    frames.sort((a, b) => a - b);
    return { median: frames[Math.floor(count / 2)], worst: frames[count - 1] };
  }, [steps, jump]);
}

async function long(page) {
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((e) => (window.longest = Math.max(window.longest, e.duration)))).observe({ type: 'longtask' });
  });
  const begun = performance.now();
  await ask(page, LONG);
  await page.locator('.answer .badge', { hasText: '125,000 rows' }).waitFor();
  const shown = performance.now() - begun;
  const rest = await page.evaluate(() => window.longest);
  return { shown, longest: rest, pages: await scrolled(page, 200, false), jumps: await scrolled(page, 200, true) };
}

async function main() {
  const [url, user, password] = process.argv.slice(2);
  const browser = await Browser.launch(url, 'target/console');
  try {
    const stranger = await openings(await browser.context(), url, 'input[autocomplete=username]');
    const context = await browser.context();
    const page = await context.newPage();
    await browser.signIn(page, user, password);
    const known = await openings(context, url, '.cm-content');
    const rows = await long(page);
    if (browser.wrong.length > 0) throw new Error(browser.wrong.join('\n'));
    console.log(JSON.stringify({ stranger, known, rows }));
  } finally {
    await browser.close();
  }
}

main().then(() => process.exit(0), (e) => {
  console.error(e);
  process.exit(1);
});
