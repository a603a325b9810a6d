import { assert, assertEquals } from "@std/assert";
import { type Attempt, attemptsKeptMax, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { packRow, packRows, unpackRows } from "../../../lib/store/log/request_log_pack.ts";
import { sampleRow } from "../samples.ts";

const full: Attempt = {
  upstreamId: "acme",
  credentialId: "7692c3ad",
  upstreamModel: "large",
  upstreamFormat: "messages",
  startedAfterMs: 3,
  durationMs: 1_000,
  status: 503,
  outcome: "upstream_error",
  errorCode: "upstream_overloaded",
};
const bare: Attempt = {
  upstreamId: "embedded",
  upstreamModel: "tessera-echo",
  startedAfterMs: 0,
  durationMs: 0,
  outcome: "completed",
};

function kept(attempts: RequestLogRow["attempts"]): readonly Attempt[] | undefined {
  const [value] = packRows([packRow(sampleRow(1, { attempts }))]);
  return unpackRows(value)[0].row.attempts;
}

Deno.test("a row keeps its attempts with what is known of each", () => {
  assertEquals(kept([full, bare]), [full, bare]);
  assertEquals(kept(undefined), undefined);
});

Deno.test("a row keeps the last of many attempts", () => {
  const many = Array.from({ length: 20 }, (_, n) => ({ ...full, startedAfterMs: n }));
  assertEquals(kept(many), many.slice(-attemptsKeptMax));
});

Deno.test("a row keeps no more of an attempt's texts than fits", () => {
  const [attempt] = kept([{ ...full, upstreamModel: "m".repeat(10_000) }]) ?? [];
  assert(attempt.upstreamModel.length <= 200);
  assert(attempt.upstreamModel.startsWith("mmm"));
});
