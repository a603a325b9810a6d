import puppeteer, { type Browser, type Page } from "puppeteer-core";

const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of an installed Chromium, or undefined. */
export function findChromium(): string | undefined {
  const named = Deno.env.get("TESSERA_CHROMIUM");
  return [...named ? [named] : [], ...usualPaths].find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
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
    ],
  });
}

/** Registers a test in a browser, ignored without Chromium. The site is closed after the browser. */
export function browserTest<Site extends AsyncDisposable>(
  name: string,
  open: () => Promise<Site>,
  test: (site: Site, browser: Browser) => Promise<void>,
): void {
  const chromium = findChromium();
  Deno.test({
    name,
    ignore: !chromium,
    sanitizeOps: false, // the browser's connection and the passwords' worker outlive a test
    sanitizeResources: false,
    fn: async () => {
      await using site = await open();
      const browser = await launch(chromium ?? "");
      try {
        await test(site, browser);
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
