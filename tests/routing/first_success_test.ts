import { assertEquals, assertRejects } from "@std/assert";
import { type ErrorCode, GatewayError } from "../../lib/canonical/mod.ts";
import { firstSuccess } from "../../lib/routing/mod.ts";
import type { Candidate } from "../../lib/upstreams/upstream.ts";
import { sampleUpstream } from "../store/samples.ts";

const candidates: readonly Candidate[] = ["a", "b", "c"].map((id) => ({
  upstream: { ...sampleUpstream(), id },
  upstreamModel: "m",
}));
const never = Number.POSITIVE_INFINITY;
const stays = { caller: new AbortController().signal, deadline: never };

/** Upstreams that fail with these codes, then answer; and who was asked. */
function failing(codes: readonly ErrorCode[], onFailure: () => void = () => {}) {
  const asked: string[] = [];
  const attempt = ({ upstream: { id } }: Candidate): Promise<string> => {
    const code = codes[asked.push(id) - 1];
    if (code === undefined) return Promise.resolve(`${id} answers`);
    onFailure();
    return Promise.reject(new GatewayError(code, `${id} fails`));
  };
  return { asked, attempt };
}

Deno.test("firstSuccess moves on after failures that another upstream may not have", async () => {
  const { asked, attempt } = failing(["upstream_timeout", "rate_limit_exceeded"]);
  assertEquals(await firstSuccess(candidates, attempt, stays), "c answers");
  assertEquals(asked, ["a", "b", "c"]);
});

const final: readonly ErrorCode[] = [
  "invalid_request",
  "conversion_lossy",
  "context_length_exceeded",
  "client_closed",
];
for (const code of final) {
  Deno.test(`firstSuccess ends at ${code}`, async () => {
    const { asked, attempt } = failing([code]);
    const error = await assertRejects(
      () => firstSuccess(candidates, attempt, stays),
      GatewayError,
    );
    assertEquals([error.code, asked], [code, ["a"]]);
  });
}

Deno.test("firstSuccess ends at a bug", async () => {
  const bug = new TypeError("bug");
  const error = await assertRejects(
    () => firstSuccess(candidates, () => Promise.reject(bug), stays),
  );
  assertEquals(error, bug);
});

Deno.test("firstSuccess tries nobody else once the caller has left", async () => {
  const caller = new AbortController();
  const { asked, attempt } = failing(["upstream_error"], () => caller.abort());
  const error = await assertRejects(
    () => firstSuccess(candidates, attempt, { caller: caller.signal, deadline: never }),
    GatewayError,
  );
  assertEquals([error.code, asked], ["client_closed", ["a"]]);
});

Deno.test("firstSuccess tries nobody else once the deadline has passed", async () => {
  const { asked, attempt } = failing(["upstream_error"]);
  await assertRejects(
    () => firstSuccess(candidates, attempt, { ...stays, deadline: 0 }),
    GatewayError,
    "a fails",
  );
  assertEquals(asked, ["a"]);
});

Deno.test("firstSuccess throws the last failure where all fail", async () => {
  const { asked, attempt } = failing(["upstream_error", "upstream_error", "upstream_overloaded"]);
  await assertRejects(() => firstSuccess(candidates, attempt, stays), GatewayError, "c fails");
  assertEquals(asked, ["a", "b", "c"]);
});

Deno.test("firstSuccess says that nobody serves the model where there is no candidate", async () => {
  const error = await assertRejects(
    () => firstSuccess([], () => Promise.resolve(1), stays),
    GatewayError,
  );
  assertEquals(error.code, "no_upstream");
});
