import { assert, assertEquals } from "@std/assert";
import { codecs } from "../../../lib/formats/mod.ts";
import { type Call, newCall } from "../../../lib/http/call.ts";
import { getRequestLog, listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { type TestGateway, testKey } from "../gateway.ts";

/** The row of a call whose answer has ended. */
export async function rowOf({ parts }: TestGateway, id: string | null): Promise<RequestLogRow> {
  const row = id === null ? undefined : await getRequestLog(parts.store, id);
  assert(row, `no row was written for ${id}`);
  return row;
}

/** All rows of a test's calls. */
export async function allRows({ parts }: TestGateway): Promise<readonly RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  for (let before: string | undefined, more = true; more;) {
    const page = await listRequestLogs(parts.store, { limit: 200, ...(before && { before }) });
    rows.push(...page.rows);
    before = page.next;
    more = before !== undefined;
  }
  return rows;
}

/** Asserts that ended calls hold no reservation in any limit of the test's key. */
export async function assertNothingHeld({ parts }: TestGateway): Promise<void> {
  const { identify, ledger } = parts.gateway;
  const caller = await identify(callWithTestKey());
  const nothing = { boundNanoUsd: 1n, leastNanoUsd: 1n, tokens: 1 };
  const hold = await ledger.reserve({ caller, model: "m", ...nothing });
  const held = hold.shares.map(({ lease, reserved }) => ({
    kind: lease.kind,
    reserved: lease.reserved - reserved,
    spending: lease.spending,
  }));
  ledger.release(hold);
  assert(held.length > 0, "no limit binds the test's key");
  assertEquals(held, held.map(({ kind }) => ({ kind, reserved: 0n, spending: 0n })));
}

/** A call with the test's key. */
export function callWithTestKey(): Call {
  const url = new URL("http://localhost/v1/messages");
  const request = new Request(url, { headers: { "x-api-key": testKey } });
  const codec = codecs.messages;
  const match = { codec, endpoint: codec.endpoints[0], wirePath: url.pathname };
  return newCall({ request, url, nowMs: Date.now(), ip: "127.0.0.1" }, match);
}
