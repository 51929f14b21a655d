// Walks every page and state of the console. Prints one line per step: "ok NAME" or "not ok NAME: why".
// node walk.js URL FOLDER-FOR-PICTURES PASSWORD FILES-WITH-STEPS [PART-OF-A-STEP'S-NAME]
const { Browser } = require('./browser.js');

async function main() {
  const [url, shots, password, files, only] = process.argv.slice(2);
  const steps = files.split(',').flatMap((file) => require(`./${file}.js`));
  const browser = await Browser.launch(url, shots);
  let failed = 0;
  try {
    for (const [name, step] of steps) {
      if (failed >= 6) throw new Error('so much fails that the rest tells nothing');
      if (only && !name.includes(only)) continue;
      browser.wrong = [];
      browser.allowed = new Set();
      browser.offline = false;
      const begun = Date.now();
      try {
        await step(browser, password);
        if (browser.wrong.length > 0) throw new Error(browser.wrong.join('\n'));
        console.log(`ok ${name}`);
        console.error(`${name}: ${Date.now() - begun} ms`);
      } catch (e) {
        failed++;
        console.log(`not ok ${name}: ${JSON.stringify(String(e.stack ?? e))}`);
        for (const context of browser.chrome.contexts()) {
          for (const page of context.pages()) await page.screenshot({ path: `${shots}/failed-${name.replace(/\W+/g, '-')}.png` }).catch(() => {});
        }
      }
      for (const context of browser.chrome.contexts()) await context.close();
    }
  } finally {
    await browser.close();
  }
}

main().catch((e) => {
  console.log(`not ok the walk itself: ${JSON.stringify(String(e.stack ?? e))}`);
  process.exitCode = 1;
});
