import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";

/** The requests of a page that reached the server, and their bytes with heads. */
export interface Transfer {
  readonly urls: string[];
  readonly scripts: string[];
  bytes: number;
}

/** Waits until the page is quiet. The time zone of the browser is known from the first page on. */
export async function transferOf(page: Page, visit: () => Promise<unknown>): Promise<Transfer> {
  const cdp = await page.createCDPSession();
  await cdp.send("Network.enable");
  const transfer: Transfer = { urls: [], scripts: [], bytes: 0 };
  const kept = new Set<string>();
  const requests = new Map<string, { readonly url: string; readonly type?: string }>();
  cdp.on("Network.requestWillBeSent", ({ requestId, request: { url }, type }) => {
    requests.set(requestId, { url, type });
    if (type === "Script") transfer.scripts.push(url);
  });
  cdp.on("Network.requestServedFromCache", ({ requestId }) => kept.add(requestId));
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) kept.add(requestId);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (kept.has(requestId)) return;
    transfer.urls.push(requests.get(requestId)?.url ?? requestId);
    transfer.bytes += encodedDataLength;
  });
  await visit();
  await page.waitForNetworkIdle({ idleTime: 150, concurrency: 1 }); // it may listen to events
  await cdp.detach();
  return transfer;
}

/** Forgets everything that the browser kept, as before a first visit. */
export async function forgetCache(page: Page): Promise<void> {
  const cdp = await page.createCDPSession();
  await cdp.send("Network.clearBrowserCache");
  await cdp.detach();
}

/** The bytes of the scripts together, each compressed by itself. */
export async function gzippedBytesOf(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all([...new Set(urls)].map(gzippedBytesAt));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

async function gzippedBytesAt(url: string): Promise<number> {
  const response = await fetch(url);
  assertEquals(response.status, 200, url);
  const stream = new Blob([await response.bytes()]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).bytes()).length;
}
