import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import { member } from "../console/people.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { startApi, type TestApi } from "./api.ts";

const hourMs = 3_600_000;
const nowHourMs = Math.floor(Date.now() / hourMs) * hourMs;

function callOf(n: number, fields: Partial<RequestLogRow> = {}): RequestLogRow {
  const atMs = nowHourMs - 48 * hourMs + n * 60_000;
  return sampleRow(n, {
    ...{ id: requestIdOf(atMs, n), atMs, upstreamId: "acme", model: `model-${n % 3}` },
    ...{ keyId: `key_${n % 4}`, accountId: n % 4 === 3 ? member.id : "owner" },
    ...{ groupId: n % 2 ? "default" : "team", costNanoUsd: BigInt(n) * 1_000_000n },
    ...{ projectId: `project_${n % 2}`, tags: [`team=${n % 3}`, "env=test"] },
    usage: { ...noUsage, inputTokens: 10, cacheReadTokens: 5, outputTokens: n },
    ...fields,
  });
}

async function apiWith(rows: readonly RequestLogRow[]): Promise<TestApi> {
  const api = await startApi();
  await leaveRows(api.store, rows);
  return api;
}

const rows = Array.from({ length: 40 }, (_, n) => callOf(n));
const failed = callOf(41, {
  ...{ status: 429, outcome: "upstream_error", errorCode: "rate_limit_exceeded" },
  tag: "job-7",
  socket: "ws_0123456789ab/main",
  costNanoUsd: 0n,
  attempts: [{
    ...{ upstreamId: "acme", credentialId: "0a1b2c3d", upstreamModel: "m", startedAfterMs: 3 },
    ...{ durationMs: 40, status: 429, outcome: "upstream_error", errorCode: "rate_limit_exceeded" },
    errorMessage: "slow down",
  }],
  notes: [{ path: "temperature", action: "clamped", reason: "at most 1" }],
  costLines: [{ bucket: "cacheWrite1hTokens", quantity: 3, nanoUsd: 7n }],
});

Deno.test("management: the log's pages hold each call once, newest first", async () => {
  await using api = await apiWith([...rows, failed]);
  const found: string[] = [];
  let cursor = "";
  do {
    const { body } = await api.ask("GET", `/calls?limit=7${cursor}`);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor && `&cursor=${encodeURIComponent(body.next_cursor)}`;
  } while (cursor);
  assertEquals(found, [...rows, failed].map(({ id }) => id).reverse());
});

const filters: readonly (readonly [string, (row: RequestLogRow) => boolean])[] = [
  [`user_id=${member.id}`, ({ accountId }) => accountId === member.id],
  ["key_id=key_1", ({ keyId }) => keyId === "key_1"],
  ["group=team&model=model-2", (row) => row.groupId === "team" && row.model === "model-2"],
  ["project_id=project_1", ({ projectId }) => projectId === "project_1"],
  ["status=failed", ({ id }) => id === failed.id],
  ["status=4xx", ({ id }) => id === failed.id],
  ["tag=job-7", ({ id }) => id === failed.id],
  ["text=ws_0123456789ab", ({ id }) => id === failed.id],
  ["upstream=other", () => false],
  ["cost_over=0.0355", ({ costNanoUsd = 0n }) => costNanoUsd > 35_500_000n],
  [
    `from=${new Date(rows[30].atMs).toISOString()}&to=${new Date(rows[35].atMs).toISOString()}`,
    ({ atMs }) => atMs >= rows[30].atMs && atMs < rows[35].atMs,
  ],
];

for (const [query, matches] of filters) {
  Deno.test(`management: the log is filtered by ${query.slice(0, 40)}`, async () => {
    await using api = await apiWith([...rows, failed]);
    const { body } = await api.ask("GET", `/calls?limit=100&${query}`);
    const ids = body.data.map(({ id }: { id: string }) => id);
    assertEquals(ids, [...rows, failed].filter(matches).map(({ id }) => id).reverse());
  });
}

for (
  const query of ["status=all!", "format=soap", "slower_than=x", "from=yesterday", "limit=101"]
) {
  Deno.test(`management: the log refuses ${query}`, async () => {
    await using api = await startApi();
    const { status, body } = await api.ask("GET", `/calls?${query}`);
    assertEquals([status, body.error.param], [400, query.split("=")[0]]);
  });
}

Deno.test("management: a call has its attempts, notes, cost lines and verdict", async () => {
  await using api = await apiWith([failed]);
  const { status, body } = await api.ask("GET", `/calls/${failed.id}`);
  assertEquals([status, body.cost, body.error.code], [200, "0.00", "rate_limit_exceeded"]);
  assertEquals(body.socket, failed.socket);
  assertStringIncludes(body.verdict, "acme rate-limited us");
  assertStringIncludes(body.verdict, "Not charged.");
  const [attempt] = body.attempts;
  assertEquals([attempt.credential, attempt.error.message], ["0a1b2c3d", "slow down"]);
  assertEquals(body.notes, [{ path: "temperature", action: "clamped", reason: "at most 1" }]);
  assertEquals(body.cost_lines[0].bucket, "cache_write_1h_tokens");
  assertEquals([body.usage.input_tokens, body.usage.cached_input_tokens], [15, 5]);
  assertEquals((await api.ask("GET", "/calls/req_none")).status, 404);
});

Deno.test("management: usage adds up to its calls by every dimension", async () => {
  await using api = await apiWith(rows);
  const expected: Readonly<Record<string, (row: RequestLogRow) => string>> = {
    total: () => "",
    key: ({ keyId }) => keyId,
    user: ({ accountId }) => accountId,
    group: ({ groupId }) => groupId,
    model: ({ model }) => model,
    upstream: () => "acme",
    project: ({ projectId = "" }) => projectId,
    "tag&tag_key=team": ({ tags = [] }) => tags[0].replace("team=", ""),
  };
  for (const [by, idOf] of Object.entries(expected)) {
    const { body } = await api.ask("GET", `/usage?by=${by}`);
    const sums = [...Map.groupBy(rows, idOf)].map(([id, own]) => ({
      id,
      requests: own.length,
      tokens: own.reduce((sum, { usage }) => sum + 15 + (usage?.outputTokens ?? 0), 0),
      nanoUsd: own.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n),
    })).sort((a, b) => Number(b.nanoUsd - a.nanoUsd));
    assertEquals(
      body.data.map((row: Record<string, number | string>) => ({
        id: row.id,
        requests: row.requests,
        tokens: Number(row.input_tokens) + Number(row.output_tokens),
        nanoUsd: BigInt(Math.round(Number(row.cost) * 1e9)),
      })),
      sums,
      by,
    );
  }
});

Deno.test("management: usage has steps, pages, and the models of one key or user", async () => {
  await using api = await apiWith(rows);
  const { body } = await api.ask("GET", "/usage?by=model&step=hour&limit=2");
  assertEquals([body.data.length, typeof body.next_cursor], [2, "string"]);
  const [first] = body.data;
  const requests = first.points.map((point: { requests: number }) => point.requests);
  assertEquals(requests.reduce((a: number, b: number) => a + b), first.requests);
  const rest = await api.ask(
    "GET",
    `/usage?by=model&step=hour&limit=2&cursor=${encodeURIComponent(body.next_cursor)}`,
  );
  assertEquals([rest.body.data.length, rest.body.next_cursor], [1, null]);
  for (
    const [query, matches] of [
      ["key_id=key_2", ({ keyId }: RequestLogRow) => keyId === "key_2"],
      [`user_id=${member.id}`, ({ accountId }: RequestLogRow) => accountId === member.id],
    ] as const
  ) {
    const own = await api.ask("GET", `/usage?by=model&${query}`);
    const count = own.body.data.reduce(
      (sum: number, row: { requests: number }) => sum + row.requests,
      0,
    );
    assertEquals(count, rows.filter(matches).length, query);
  }
  const owner = await api.ask("GET", `/usage?by=key&user_id=${member.id}`);
  assertEquals(owner.body.data.map(({ id, user_id }: Record<string, string>) => [id, user_id]), [
    ["key_3", member.id],
  ]);
});

const wrongUsage = [
  ["by=color", "by"],
  ["by=group&user_id=x", "user_id"],
  ["by=key&key_id=x", "key_id"],
  ["by=tag", "tag_key"],
  ["by=group&tag_key=team", "tag_key"],
  ["by=model&key_id=x&user_id=y", "key_id"],
  ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
  ["step=hour&from=2020-01-01T00:00:00Z", "from"],
] as const;

for (const [query, param] of wrongUsage) {
  Deno.test(`management: usage refuses ?${query}`, async () => {
    await using api = await startApi();
    const { status, body } = await api.ask("GET", `/usage?${query}`);
    assertEquals([status, body.error.param], [400, param]);
    assert(body.error.message.length > param.length);
  });
}
