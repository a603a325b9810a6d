import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../lib/store/mod.ts";
import { RawClient } from "../../raw_client.ts";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";
import { metricsFor } from "./gateway_metrics.ts";

/** Sign-ins that nobody confirms, from callers without a key, while others call the gateway. */

const floodMax = 6_000;
const slowForms = 300;
const otherCallMaxMs = 2_000;
/** Growth that is no leak: the young generation, code, and buffers of the connections. */
const growthMax = 200 * 1024 * 1024;

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

function post(base: string, path: string, form: Readonly<Record<string, string>>) {
  return fetch(base + path, { method: "POST", body: new URLSearchParams(form) });
}

/** The requests of a caller without a key, with a device code, and the status of each answer. */
const attacks = (code: string) =>
  [
    ["/oauth/device_authorization", {}, 200],
    ["/oauth/token", { grant_type: deviceGrant, device_code: code }, 400], // pending
    ["/oauth/token", { grant_type: deviceGrant, device_code: "guess" }, 401],
    ["/oauth/token", { grant_type: "refresh_token", refresh_token: code }, 401],
    ["/oauth/revoke", { token: code }, 200],
  ] as const;

async function read(answer: Promise<Response>) {
  const response = await answer;
  return { status: response.status, body: await response.text() };
}

async function otherCall(base: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "tessera-echo",
      max_tokens: 9,
      messages: [{ role: "user", content: "hi" }],
    }),
  });
  assertEquals(response.status, 200, await response.text());
  return performance.now() - startedAt;
}

/** A form whose end never arrives; undefined if the gateway takes no more connections. */
async function slowForm(base: string): Promise<RawClient | undefined> {
  try {
    const client = await RawClient.to(new URL(base));
    await client.write(
      "POST /oauth/device_authorization HTTP/1.1\r\nhost: gateway\r\n" +
        "content-type: application/x-www-form-urlencoded\r\ncontent-length: 9000\r\n\r\nsurface=",
    );
    return client;
  } catch {
    return undefined;
  }
}

async function residentBytes(base: string): Promise<number> {
  return Math.min(...(await metricsFor(base, 500)).map((one) => one.residentBytes));
}

async function storedEntries(folder: string): Promise<number> {
  const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
  const entries = await Array.fromAsync(store.kv.list({ prefix: [] }));
  store.close();
  return entries.filter(({ key }) => JSON.stringify(key).includes("device")).length;
}

Deno.test(`devices: ${floodMax} sign-ins, polls and refreshes without a key and ${slowForms} forms without an end: others are served, nothing is stored`, () =>
  withStoreFolder(async (folder) => {
    const server = await startServer(folder, { config: {} });
    const { base } = server;
    for (let n = 0; n < 50; n++) await otherCall(base);
    const begun = JSON.parse((await read(post(base, "/oauth/device_authorization", {}))).body);
    const before = await residentBytes(base);
    const slow = await Promise.all(Array.from({ length: slowForms }, () => slowForm(base)));
    let slowestMs = await otherCall(base);
    const rows = attacks(begun.device_code);
    let sent = 0;
    const attackers = Array.from({ length: 16 }, async () => {
      for (let n = sent++; n < floodMax; n = sent++) {
        const [path, form, expected] = rows[n % rows.length];
        assertEquals((await read(post(base, path, form))).status, expected, path);
      }
    });
    const over = Promise.all(attackers).then(() => true);
    for (let isOver = false; !isOver;) {
      slowestMs = Math.max(slowestMs, await otherCall(base));
      isOver = await Promise.race([over, new Promise<false>((go) => setTimeout(go, 50, false))]);
    }
    const growth = await residentBytes(base) - before;
    for (const one of slow) one?.close();
    const poll = { grant_type: deviceGrant, device_code: begun.device_code };
    const pending = await read(post(base, "/oauth/token", poll));
    assertEquals(JSON.parse(pending.body).error, "authorization_pending", "the flood ended a code");
    console.log(
      `${floodMax} requests without a key: slowest other call ${Math.round(slowestMs)} ms, ` +
        `resident +${Math.round(growth / 1024 / 1024)} MiB`,
    );
    assert(slowestMs < otherCallMaxMs, `another call took ${slowestMs} ms`);
    assert(growth < growthMax, `it grew by ${growth} bytes`);
    assertEquals(await server.stop(), 0);
    assertEquals(await storedEntries(folder), 0);
  }));
