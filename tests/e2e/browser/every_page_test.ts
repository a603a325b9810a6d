import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { addressOf, consoleRoutes } from "../../console/routes.ts";
import { complaintsOf } from "./chromium.ts";
import { check, everywhere } from "./look.ts";
import { stock } from "./stocked_console.ts";
import { signedInTest } from "./usage_pages.ts";

/** Every page that `routes/` holds, each with something on it: a new one is looked at by itself. */
const pages = consoleRoutes.filter(({ isPage }) => isPage).map(({ pattern }) => pattern);
const scriptBytesMax = 20_000;
const moreScript: Readonly<Record<string, number>> = { "/console/playground": 52 * 1024 };
const queries: Readonly<Record<string, string>> = {
  "/console/pricing/model": "?name=house-model",
  "/console/projects/[id]/member": "?account=usr_member",
};

/** The first account is there, so that nobody can set it up again. */
function statusOf(pattern: string): number {
  return pattern.startsWith("/setup") ? 410 : 200;
}

signedInTest("every page in both themes at every width", async (page, served) => {
  const samples = await stock(served);
  assert(pages.length > 40);
  const complaints = complaintsOf(page);
  for (const pattern of pages) {
    const address = addressOf(pattern, samples) + (queries[pattern] ?? "");
    const name = `page${pattern.replaceAll("/", "_").replace(/[[\]]/g, "")}`;
    await everywhere(page, async () => {
      const response = await page.goto(served.origin + address, { waitUntil: "load" });
      assertEquals(response?.status(), statusOf(pattern), address);
      await check(page, name);
    });
  }
  assertEquals(complaints.filter((one) => !one.includes("status of 410")), []);
});

signedInTest("no page loads more script than it may", async (page, served) => {
  const samples = await stock(served);
  const scripts = scriptsOf(page);
  let sum = 0;
  await page.setCacheEnabled(false);
  for (const pattern of pages) {
    scripts.clear();
    const address = served.origin + addressOf(pattern, samples) + (queries[pattern] ?? "");
    const response = await page.goto(address, { waitUntil: "load" });
    assertEquals(response?.status(), statusOf(pattern), address);
    await page.waitForNetworkIdle({ idleTime: 200, concurrency: 1 }); // it may listen to events
    const bytes = (await Promise.all([...scripts].map(gzippedBytesAt))).reduce(
      (one, other) => one + other,
      0,
    );
    console.log(`${pattern}: ${bytes} bytes of script, gzipped`);
    const most = moreScript[pattern] ?? scriptBytesMax;
    sum += bytes;
    assert(bytes <= most, `${pattern} loads ${bytes} bytes of script`);
  }
  assert(sum > 0);
});

/** The addresses of the scripts that the page loads. */
function scriptsOf(page: Page): Set<string> {
  const addresses = new Set<string>();
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") addresses.add(response.url());
  });
  return addresses;
}

async function gzippedBytesAt(address: string): Promise<number> {
  return await gzippedBytes(await (await fetch(address)).bytes());
}

async function gzippedBytes(bytes: Uint8Array): Promise<number> {
  const stream = new Blob([new Uint8Array(bytes)]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).bytes()).length;
}
