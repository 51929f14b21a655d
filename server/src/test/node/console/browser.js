// A browser that remembers what went wrong: errors on the console, requests to elsewhere, dialogs of scripts.
const fs = require('node:fs');
const path = require('node:path');
const { chromium } = require('playwright-core');

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
// Steps wait for what they expect; only what hangs takes so long.
const PATIENCE = 300_000;
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((each) => fs.existsSync(each));

/** What the browser itself says of a refusal; whether one is right, each step decides. */
const REFUSAL = /the server responded with a status of (\d+)/;

class Browser {
  constructor(chrome, url, shots) {
    this.chrome = chrome;
    this.url = url;
    this.shots = shots;
    this.wrong = [];
    this.allowed = new Set();
  }

  static async launch(url, shots) {
    fs.mkdirSync(shots, { recursive: true });
    const chrome = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? CHROMIUM,
      timeout: PATIENCE,
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    });
    return new Browser(chrome, url, shots);
  }

  /** A new person: nothing is shared with the others. */
  async context(options = {}) {
    const context = await this.chrome.newContext({ viewport: { width: 1360, height: 860 }, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PATIENCE);
    context.on('request', (request) => {
      const to = new URL(request.url());
      if (!['data:', 'blob:'].includes(to.protocol) && to.origin !== new URL(this.url).origin) this.wrong.push(`asked elsewhere: ${to}`);
    });
    context.on('console', (message) => {
      const status = REFUSAL.exec(message.text());
      if (['error', 'warning'].includes(message.type()) && !(status && this.allowed.has(status[1])) && !(this.offline && /ERR_/.test(message.text()))) {
        this.wrong.push(`console: ${message.text()}`);
      }
    });
    context.on('weberror', (error) => this.wrong.push(`thrown: ${error.error().stack}`));
    context.on('dialog', (dialog) => {
      this.wrong.push(`a script ran: ${dialog.message()}`);
      dialog.dismiss();
    });
    return context;
  }

  async page(options) {
    return (await this.context(options)).newPage();
  }

  /** A picture for people to look at, and the page as assistive programs would find it. */
  async look(page, name, { full = false } = {}) {
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: path.join(this.shots, `${name}.png`), fullPage: full, animations: 'disabled' });
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
    if (wide > 0) this.wrong.push(`${name}: the page is ${wide} px too wide`);
    await this.accessible(page, name);
  }

  async accessible(page, name) {
    await page.evaluate(AXE);
    // The list of completions is scrolled by the arrow keys while the editor has the focus.
    const found = await page.evaluate(() => axe.run({ exclude: ['.cm-tooltip-autocomplete'] }, { resultTypes: ['violations'] }));
    for (const v of found.violations.filter((each) => ['serious', 'critical'].includes(each.impact))) {
      this.wrong.push(`${name}: ${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.failureSummary.split('\n')[1]?.trim()})`).join('; ')}`);
    }
  }

  /** Signs somebody in by hand. */
  async signIn(page, user, password, hash = '') {
    await page.goto(this.url + hash);
    await page.getByLabel('Name').fill(user);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('header.top').waitFor();
  }

  async close() {
    await this.chrome.close();
  }
}

/** Replaces the text of the editor as a person would. */
async function write(page, sql) {
  const editor = page.getByRole('textbox', { name: 'SQL question' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Escape');
}

async function accepted(page) {
  await page.locator('.verdict.good').waitFor();
  await page.locator('button:has-text("Ask"):enabled').waitFor();
}

/** Asks what the editor holds and waits for the answer. */
async function ask(page, sql) {
  await write(page, sql);
  await accepted(page);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.locator('.answer .badges').waitFor();
}

module.exports = { Browser, PATIENCE, accepted, ask, write };
