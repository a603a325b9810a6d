import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { isFile } from "../../programs.ts";

const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of an installed Chromium, or undefined. Throws if the named one is missing. */
export function findChromium(named = Deno.env.get("TESSERA_CHROMIUM")): string | undefined {
  if (!named) return usualPaths.find(isFile);
  if (isFile(named)) return named;
  throw new Error(`Cannot find Chromium: TESSERA_CHROMIUM is ${named}, which is not a file`);
}

export async function launch(executablePath: string): Promise<Browser> {
  return await puppeteer.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--force-prefers-reduced-motion", // clicks while a page fades in would reach nothing
    ],
  });
}

/** Notices that are printed already. Each test file has its own. */
const printed = new Set<string>();

function printOnce(notice: string): void {
  if (!printed.has(notice)) console.log(notice);
  printed.add(notice);
}

/**
 * Registers a test in a browser, ignored without Chromium. The site is closed after the browser.
 * Deno's sanitizers are off by default: the passwords' worker of the console outlives a test.
 */
export function browserTest<Site extends AsyncDisposable>(
  name: string,
  open: () => Promise<Site>,
  test: (site: Site, browser: Browser, context: Deno.TestContext) => Promise<void>,
  { sanitize = false } = {},
): void {
  const chromium = findChromium();
  if (!chromium) printOnce("No Chromium found: the browser tests are ignored");
  Deno.test({
    name,
    ignore: !chromium,
    sanitizeOps: sanitize,
    sanitizeResources: sanitize,
    fn: async (context) => {
      await using site = await open();
      const browser = await launch(chromium ?? "");
      try {
        await test(site, browser, context);
      } finally {
        await browser.close();
      }
    },
  });
}

/** Everything that a page complained about: errors, warnings, and what its policy blocked. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A page that is left on purpose drops what it was still loading.
    if (reason !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${reason}`);
  });
  return complaints;
}
