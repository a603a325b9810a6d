import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { addCall, addKey } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { stock } from "./stocked_console.ts";
import { signedInTest } from "./usage_pages.ts";

const kilobyte = 1_024;
const firstMost = { requests: 10, bytes: 120 * kilobyte };
const nextMost = { requests: 2, bytes: 25 * kilobyte };

/** The requests of a page that reached the server, and their bytes with heads. */
interface Transfer {
  readonly urls: string[];
  bytes: number;
}

signedInTest("pages transfer no more than they may", async (page, served) => {
  await fill(served);
  const { origin } = served;
  const first = await transferOf(page, `${origin}/console`);
  report("/console first", first);
  assertWithin(first, firstMost);
  for (const path of menuPaths) {
    await page.goto(`${origin}/console`, { waitUntil: "load" });
    const next = await transferOf(page, origin + path);
    report(path, next);
    assertWithin(next, nextMost);
  }
}, { speculates: true });

const menuPaths = [
  "/console/token",
  "/console/log",
  "/console/pricing",
  "/console/connect",
  "/console/topup",
  "/console/admin/upstreams",
  "/console/admin/groups",
  "/console/admin/users",
  "/console/admin/projects",
  "/console/admin/codes",
  "/console/admin/audit",
  "/console/admin/settings",
  "/console/admin/tokens",
  "/console/admin/webhooks",
  "/console/account",
];

async function fill(served: ServedConsole): Promise<void> {
  await stock(served);
  const { console: { store } } = served;
  for (let at = 0; at < 117; at++) {
    const key = await addKey(store, { name: `a key with a long name, number ${at}` });
    for (let call = 0; call < 3; call++) {
      const id = `req_${at}x${call}`;
      await addCall(store, { id, keyId: key.id, keyName: key.name });
    }
  }
}

/** Waits until the page is quiet. The time zone of the browser is known from the first page on. */
async function transferOf(page: Page, url: string): Promise<Transfer> {
  const cdp = await page.createCDPSession();
  await cdp.send("Network.enable");
  const transfer: Transfer = { urls: [], bytes: 0 };
  const kept = new Set<string>();
  const addresses = new Map<string, string>();
  cdp.on("Network.requestWillBeSent", ({ requestId, request }) => {
    addresses.set(requestId, request.url);
  });
  cdp.on("Network.requestServedFromCache", ({ requestId }) => kept.add(requestId));
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) kept.add(requestId);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (kept.has(requestId)) return;
    transfer.urls.push(addresses.get(requestId) ?? requestId);
    transfer.bytes += encodedDataLength;
  });
  const response = await page.goto(url, { waitUntil: "load" });
  await page.waitForNetworkIdle({ idleTime: 150, concurrency: 1 }); // it may listen to events
  assertEquals(response?.status(), 200, url);
  await cdp.detach();
  return transfer;
}

function report(name: string, { urls, bytes }: Transfer): void {
  console.log(`${name}: ${urls.length} requests, ${(bytes / kilobyte).toFixed(1)} KB`);
}

function assertWithin(transfer: Transfer, most: typeof firstMost): void {
  const text = `${transfer.bytes} bytes: ${transfer.urls.join("\n")}`;
  assert(transfer.urls.length > 0, "nothing was transferred");
  assert(transfer.urls.length <= most.requests, text);
  assert(transfer.bytes <= most.bytes, text);
}
