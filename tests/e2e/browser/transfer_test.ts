import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { everyPage, type StockedPage, visit } from "./every_page.ts";
import { stock } from "./stocked_console.ts";
import { forgetCache, gzippedBytesOf, type Transfer, transferOf } from "./transfer.ts";
import { signedInTest } from "./usage_pages.ts";

const kilobyte = 1_024;
const firstMost = { requests: 10, bytes: 120 * kilobyte };
const nextMost = { requests: 2, bytes: 25 * kilobyte };
const scriptBytesMax = 20_000;
const playground = "/console/playground";
const playgroundScriptMax = 38 * kilobyte;

signedInTest("every page transfers no more than it may", async (page, served) => {
  const pages = everyPage(served.origin, await stock(served)).filter(({ pattern }) =>
    pattern.startsWith("/console")
  );
  assert(pages.length > 40);
  const faults: string[] = [];
  for (const one of pages) {
    // The next visit first: the browser keeps a script of the page's own from then on.
    faults.push(
      ...await confirmed(() => faultsOfNext(page, one, served.origin)),
      ...await confirmed(() => faultsOfFirst(page, one)),
    );
  }
  assertEquals(faults, []);
}, { speculates: true });

/** Measures a faulty page again: a busy browser may request twice what is still on its way. */
async function confirmed(measure: () => Promise<string[]>): Promise<string[]> {
  return (await measure()).length === 0 ? [] : await measure();
}

async function faultsOfFirst(page: Page, one: StockedPage): Promise<string[]> {
  await page.goto("about:blank");
  await forgetCache(page);
  const first = await transferOf(page, () => visit(page, one));
  const script = await gzippedBytesOf(first.scripts);
  const most = one.pattern === playground ? playgroundScriptMax : scriptBytesMax;
  console.log(`${one.pattern}: ${sumOf(first)}, ${script} bytes of script at first`);
  return [
    ...faultsOf(one, first, firstMost),
    ...(script > most ? [`${one.pattern} loads ${script} bytes of script`] : []),
  ];
}

/** From the overview, with everything kept that all pages share. */
async function faultsOfNext(page: Page, one: StockedPage, origin: string): Promise<string[]> {
  await page.goto(`${origin}/console`, { waitUntil: "load" });
  await page.waitForNetworkIdle({ idleTime: 150, concurrency: 1 });
  const next = await transferOf(page, () => visit(page, one));
  console.log(`${one.pattern}: ${sumOf(next)} next`);
  return faultsOf(one, next, nextMost);
}

function faultsOf(
  { pattern }: StockedPage,
  transfer: Transfer,
  most: typeof firstMost,
): string[] {
  assert(transfer.urls.length > 0, `${pattern} transfers nothing`);
  const { urls, bytes } = transfer;
  if (urls.length <= most.requests && bytes <= most.bytes) return [];
  return [`${pattern}: ${sumOf(transfer)}: ${urls.join(" ")}`];
}

function sumOf({ urls, bytes }: Transfer): string {
  return `${urls.length} requests, ${(bytes / kilobyte).toFixed(1)} KB`;
}
