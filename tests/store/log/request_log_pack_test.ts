import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { noUsage, tokenBuckets, type Usage } from "../../../lib/canonical/mod.ts";
import type { Attempt, RequestLogRow } from "../../../lib/store/log/mod.ts";
import { StoreError } from "../../../lib/store/kv/error.ts";
import { linesBytesMax } from "../../../lib/store/log/log_lines.ts";
import {
  packFitting,
  packRow,
  packRows,
  rowsThatFit,
  unpackRows,
  unpackRowsAt,
} from "../../../lib/store/log/request_log_pack.ts";
import { fitRow } from "../../../lib/store/log/request_log_size.ts";
import { sampleRow } from "../samples.ts";
import { hostileFields } from "./row_arbitrary.ts";

function kept(row: RequestLogRow): RequestLogRow {
  const [value] = packRows([packRow(row)]);
  return unpackRows(value)[0].row;
}

/** A usage whose buckets all differ. */
function usageFrom(first: number): Usage {
  const counts = tokenBuckets.map((bucket, at) => [bucket, first + at]);
  return {
    ...noUsage,
    ...Object.fromEntries(counts),
    hostedToolCalls: { "web-search": first },
    servedTier: "fast",
    servedRegion: "us",
  };
}

const attempt: Required<Attempt> = {
  model: "acme-large",
  upstreamId: "first",
  credentialId: "7692c3ad",
  upstreamModel: "first-model",
  upstreamFormat: "messages",
  startedAfterMs: 11,
  durationMs: 12,
  status: 503,
  outcome: "upstream_error",
  errorCode: "upstream_overloaded",
  errorType: "server_error",
  errorMessage: "Overloaded",
};

/** A row that has every field, each with a value of its own. */
const full: Required<RequestLogRow> = {
  chain: { name: "smart", skipped: [{ model: "acme-small", reason: "window" }] },
  id: "req_00000001",
  atMs: 1,
  accountId: "account",
  keyId: "key",
  keyName: "key name",
  groupId: "group",
  projectId: "project",
  model: "model",
  upstreamModel: "upstream model",
  upstreamId: "upstream",
  format: "responses",
  upstreamFormat: "generate-content",
  operation: "count-tokens",
  stream: true,
  status: 200,
  outcome: "truncated",
  errorCode: "upstream_truncated",
  errorType: "type",
  errorMessage: "message",
  tag: "tag",
  tags: ["team=a"],
  session: { id: "session", agent: "agent", requestClass: "compaction" },
  replayOf: "req_00000000000000000000000000",
  socket: "ws_1/lane",
  refusedBy: {
    name: "key daily budget",
    kind: "money",
    limit: 10n ** 20n,
    remaining: -5n,
    resetsAtMs: 2,
    timeZone: "Asia/Shanghai",
    ownerId: "owner",
  },
  refuser: { owner: "project", id: "research" },
  usage: usageFrom(100),
  usageSource: "upstream",
  statedUsage: usageFrom(200),
  countedUsage: usageFrom(300),
  costNanoUsd: 10n ** 18n,
  costLines: [{
    bucket: "input",
    quantity: 7,
    nanoUsd: 8n,
    savedNanoUsd: -(10n ** 18n),
    tier: "fast us",
    part: "compaction",
  }],
  cacheMiss: "message 12",
  uncoveredNanoUsd: 9n,
  upstreamCost: { nanoUsd: 11n, isStated: true },
  notes: [{ path: "tools.0", action: "dropped", reason: "reason" }],
  attempts: [attempt],
  firstByteMs: 3,
  durationMs: 4,
  userAgent: "agent",
  ip: "203.0.113.7",
};

Deno.test("a packed row has every field in its own column", () => {
  assertEquals(kept(full), full);
});

Deno.test("the columns of sockets and virtual models take no bytes of a row without", () => {
  const { socket, chain, ...plain } = full;
  const { shared, bytes } = packRow(plain);
  const withSocket = packRow({ ...plain, socket });
  assertEquals(withSocket.shared.bytes - shared.bytes, JSON.stringify(socket).length + 1);
  assertEquals(withSocket.bytes, bytes);
  const added = packRow(full).shared.bytes - withSocket.shared.bytes;
  assertEquals(added, JSON.stringify(chain).length + 1);
});

/** Fields whose columns come after the cost of the upstream. */
const rare = new Set([
  "refusedBy",
  "statedUsage",
  "countedUsage",
  "errorMessage",
  "cacheMiss",
  "replayOf",
  "refuser",
]);

Deno.test("an upstream's cost takes a few bytes, and none of a row that costs what it charges", () => {
  const { upstreamCost: _, uncoveredNanoUsd: __, ...others } = full;
  const ordinary = Object.entries(others).filter(([name]) => !rare.has(name));
  const plain = Object.fromEntries(ordinary) as unknown as RequestLogRow; // of a row, without optional fields
  const bytes = (row: RequestLogRow) => packRow(row).bytes - packRow(plain).bytes;
  assertEquals(bytes({ ...plain, upstreamCost: { nanoUsd: 75_000n } }), ",75000".length);
  assertEquals(
    packRow({ ...plain, upstreamCost: { nanoUsd: 1n } }).isOrdinary,
    packRow(plain).isOrdinary,
  );
  assertEquals(bytes(plain), 0);
});

Deno.test("an ordinary row of an agent's session takes one write unit of Deno Deploy", () => {
  const sent = { upstreamModel: "claude-opus-5", upstreamId: "anthropic" };
  const tried = { ...sent, upstreamFormat: "messages", credentialId: "3f9c2d1e" } as const;
  const row = sampleRow(1, {
    ...sent,
    model: "claude-opus-5",
    id: "req_01KAJ9V3M8WZ5X7Q2C4N6B8D0F",
    accountId: "usr_01KAJ9V3M8WZ5X7Q2C4N6B8D0F",
    keyId: "key_01KAJ9V3M8WZ5X7Q2C4N6B8D0F",
    keyName: "claude-code of a team",
    format: "messages",
    upstreamFormat: "messages",
    userAgent: "claude-cli/2.1.332 (external, sdk-cli)",
    ip: "203.0.113.7",
    usage: {
      ...noUsage,
      ...{ inputTokens: 1_234, cacheReadTokens: 98_765, cacheWrite5mTokens: 4_321 },
      outputTokens: 1_234,
    },
    costNanoUsd: 123_456_789n,
    costLines: ["inputTokens", "cacheReadTokens", "cacheWrite5mTokens", "outputTokens"]
      .map((bucket) => ({
        ...{ bucket, quantity: 12_345, nanoUsd: 12_345_678n },
        ...(bucket.startsWith("cache") && { savedNanoUsd: -123_456_789n }),
      })),
    attempts: [{ ...tried, startedAfterMs: 3, durationMs: 901, status: 200, outcome: "completed" }],
    firstByteMs: 901,
    durationMs: 12_345,
    session: {
      id: "4b1f9a52-0d8e-4c55-9d5e-1f5b8a6c7d20",
      agent: "a3f9c2d1e8b74506",
      requestClass: "subagent",
    },
  });
  const [value] = packRows([packRow(row)]);
  assert(value.length <= 1_024, `${value.length} bytes`);
  assertEquals(kept(row), row);
  assert(packRows([packRow({ ...row, tag: "x" })])[0].length > 1_024, "a rare column has a name");
});

Deno.test("rows of a later version are refused with both versions", () => {
  const later = new TextEncoder().encode('{"version":3,"fields":[]}\n[]');
  const error = assertThrows(() => unpackRows(later), StoreError);
  assert(error.message.includes("version 3") && error.message.includes("version 2"), error.message);
});

Deno.test("rows of several keys share their cells wherever they are in a value", () => {
  const rows = Array.from(
    { length: 200 },
    (_, n) => ({
      ...full,
      id: `req_${n}`,
      atMs: n,
      keyId: `key ${n % 3}`,
      tags: [`run=${n >> 6}`],
    }),
  );
  const value = packFitting(rows.map(packRow));
  const shared = new TextDecoder().decode(value).split("\n").filter((line) => line.startsWith("="));
  assertEquals(shared.length, 12);
  assertEquals(unpackRows(value).map(({ row }) => row), rows);
  assertEquals(unpackRowsAt(value, [199, 3, 64]), [rows[199], rows[3], rows[64]]);
});

Deno.test("a value has as many rows as fit into it, whatever they share", () => {
  const keyIds = fc.constantFrom("a", "b", "ключ", "k".repeat(900), "𝄞".repeat(300));
  fc.assert(
    fc.property(fc.array(keyIds, { minLength: 60, maxLength: 300 }), (keyIds) => {
      const rows = keyIds.map((keyId, n) =>
        packRow({ ...full, id: `req_${n}`, keyId, errorMessage: "x".repeat(n % 280) })
      );
      const count = rowsThatFit(rows);
      const { length } = packFitting(rows.slice(0, count));
      assert(length <= linesBytesMax, `${length} bytes`);
      if (count < rows.length) {
        assert(packFitting(rows.slice(0, count + 1)).length >= linesBytesMax);
      }
    }),
    { numRuns: 50 },
  );
});

const hostile = { ...hostileFields("x"), tag: "x".repeat(300_000) };
const cutTogether = fitRow(sampleRow(1, hostile));

for (const name in hostile) {
  const field = name as keyof typeof hostile; // its own keys
  Deno.test(`a row's ${field} is cut although no other field is too long`, () => {
    const row = sampleRow(1, { [field]: hostile[field] });
    assertEquals(fitRow(row)[field], cutTogether[field]);
    const { bytes, shared } = packRow(row);
    assert(bytes + shared.bytes < 20_000, `${bytes} and ${shared.bytes} bytes`);
  });
}

const texts = [
  "upstreamId",
  "credentialId",
  "upstreamModel",
  "errorCode",
  "errorType",
  "errorMessage",
] as const satisfies readonly (keyof Attempt)[];

for (const field of texts) {
  Deno.test(`an attempt is cut if only its ${field} is too long`, () => {
    const long = { ...attempt, [field]: "x".repeat(100_000) };
    const [cut] = packRow(sampleRow(1, { attempts: [long] })).row.attempts ?? [];
    assert((cut[field] ?? "").length <= 300, `${cut[field]?.length} characters were kept`);
    assertEquals({ ...cut, [field]: "" }, { ...attempt, [field]: "" });
  });
}
