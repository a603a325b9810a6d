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
    userDataDir: await Deno.makeTempDir({ prefix: "tessera-chromium-" }),
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
