import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApiKey } from "../../lib/store/api_keys/mod.ts";
import type { CallSession } from "../../lib/store/log/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleKey, sampleRow } from "../store/samples.ts";
import { startApi } from "./api.ts";

const hourMs = 3_600_000;
const nowHourMs = Math.floor(Date.now() / hourMs) * hourMs;

/** A call of a session some hours ago, for `n` thousandths of a dollar. */
function rowOf(n: number, hours: number, session: CallSession, keyId = "key_a") {
  const atMs = nowHourMs - hours * hourMs;
  const costNanoUsd = BigInt(n) * 1_000_000n;
  return sampleRow(n, { id: requestIdOf(atMs, n), atMs, keyId, session, costNanoUsd });
}

async function apiWithSessions() {
  const api = await startApi();
  await createApiKey(api.store, sampleKey({ id: "key_a" }));
  await leaveRows(api.store, [
    rowOf(1, 5, { id: "s" }),
    rowOf(2, 3, { id: "s", agent: "a1" }),
    rowOf(4, 2, { id: "t" }),
    rowOf(8, 1, { id: "u", requestClass: "main" }),
    rowOf(16, 0, { id: "s" }, "key_b"),
  ]);
  return api;
}

Deno.test("management: the sessions of a key are listed, the last used first", async () => {
  await using api = await apiWithSessions();
  const { body } = await api.ask("GET", "/keys/key_a/sessions?limit=2");
  const row = ({ id, requests, cost }: Record<string, unknown>) => [id, requests, cost];
  assertEquals(body.data.map(row), [["u", 1, "0.008"], ["t", 1, "0.004"]]);
  const next = `/keys/key_a/sessions?limit=2&cursor=${body.next_cursor}`;
  const { body: { data: [last], next_cursor } } = await api.ask("GET", next);
  assertEquals([row(last), next_cursor], [["s", 2, "0.003"], null]);
  const at = (hours: number) => Date.parse(last[hours === 5 ? "first_at" : "last_at"]);
  assertEquals([at(5), at(3)], [nowHourMs - 5 * hourMs, nowHourMs - 3 * hourMs]);
});

Deno.test("management: a session adds up by sub-agent and hour, and its calls name it", async () => {
  await using api = await apiWithSessions();
  const { body } = await api.ask("GET", "/keys/key_a/sessions/s");
  assertEquals([body.id, body.requests, body.cost], ["s", 2, "0.003"]);
  assertEquals(
    body.parts.map((
      { agent, request_class, cost }: Record<string, unknown>,
    ) => [agent, request_class, cost]),
    [["a1", null, "0.002"], [null, null, "0.001"]],
  );
  assertEquals([body.hours.length, body.turns], [2, 1]);
  assertEquals(body.models.map(({ cost }: Record<string, unknown>) => cost), ["0.003"]);
  const { body: { data: calls } } = await api.ask("GET", "/calls?tag=s&key_id=key_a");
  assertEquals(calls.map(({ session, agent }: Record<string, unknown>) => [session, agent]), [
    ["s", "a1"],
    ["s", null],
  ]);
});

Deno.test("management: a session names the blocks that missed its caches, and one setting", async () => {
  await using api = await apiWithSessions();
  const saved = (n: number, savedNanoUsd: bigint, more = {}) => ({
    ...rowOf(n, 1, { id: "c" }),
    costLines: [{ bucket: "cacheReadTokens", quantity: 1, nanoUsd: 1n, savedNanoUsd }],
    ...more,
  });
  await leaveRows(api.store, [
    saved(32, 1_000_000_001n),
    saved(33, -2n, { cacheMiss: "tool 7" }),
    saved(34, 0n, { cacheMiss: "message 12" }),
    saved(35, 0n, { cacheMiss: "message 12" }),
  ]);
  const { body } = await api.ask("GET", "/keys/key_a/sessions/c");
  assertEquals([body.cache_saving, body.cache_misses], ["0.999999999", 3]);
  assertEquals(
    body.cache.misses.map(({ cause }: Record<string, unknown>) => cause),
    ["message 12", "message 12", "tool 7"],
  );
  assertStringIncludes(body.cache.advice, "Keep the beginning of the prompt the same");
  const { body: call } = await api.ask("GET", `/calls/${body.cache.misses[2].call_id}`);
  assertEquals([call.cache_miss, call.cost_lines[0].saving], ["tool 7", "-0.000000002"]);
  const { body: quiet } = await api.ask("GET", "/keys/key_a/sessions/s");
  assertEquals([quiet.cache, quiet.cache_saving], [{ misses: [], advice: null }, "0.00"]);
});

Deno.test("management: an unknown session or key is not found", async () => {
  await using api = await apiWithSessions();
  for (const path of ["/keys/key_a/sessions/v", "/keys/key_c/sessions", "/keys/key_c/sessions/s"]) {
    assertEquals([path, (await api.ask("GET", path)).status], [path, 404]);
  }
});
