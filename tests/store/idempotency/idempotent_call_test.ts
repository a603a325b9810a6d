import { assert, assertEquals } from "@std/assert";
import {
  type CallClaim,
  claimCall,
  idempotencyUseOf,
  readKeptAnswer,
} from "../../../lib/store/idempotency/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { Store } from "../../../lib/store/mod.ts";
import { sampleRow } from "../samples.ts";
import { restarted, testOnStores } from "../temp_store.ts";

const mark = { accountId: "owner", keyDigest: "k", requestDigest: "r" };
const secret = "The answer is forty-two. ".repeat(6_000);
const answer = { content: new TextEncoder().encode(secret) };
const hourMs = 3_600_000;

const clock = { ms: 1_000_000 };
const claim = (store: Store, requestId: string, requestDigest = "r") =>
  claimCall(store, { ...mark, requestDigest }, { requestId, now: () => clock.ms });

async function claimed(store: Store, requestId: string): Promise<CallClaim> {
  const result = await claim(store, requestId);
  assert(result.type === "claimed", result.type);
  return result.claim;
}

async function ended(store: Store, claim: CallClaim, fields: Partial<RequestLogRow> = {}) {
  const operation = store.kv.atomic();
  claim.end(operation, sampleRow(1, { costNanoUsd: 5n, ...fields }));
  await operation.commit();
}

testOnStores(
  "claimCall: one of many calls gets the key, and the others its answer",
  async (store) => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => claim(store, `req_${n}`)),
    );
    const [won] = results.filter(({ type }) => type === "claimed");
    assertEquals(results.filter(({ type }) => type === "running").length, 7);
    assert(won.type === "claimed");
    assert(await won.claim.keepAnswer(answer));
    assertEquals((await claim(store, "req_8")).type, "running"); // stored, but not charged
    await ended(store, won.claim);
    const repeated = await claim(store, "req_9");
    assert(repeated.type === "ended");
    assertEquals(repeated.call.end.costNanoUsd, 5n);
    assertEquals(await readKeptAnswer(store, repeated.call), answer);
    assertEquals((await claim(store, "req_10", "other")).type, "other_request");
    const { answers, bytes } = await idempotencyUseOf(store, "owner", 10);
    assertEquals([answers, bytes > secret.length], [1, true]);
  },
);

testOnStores("claimCall: answers are sealed, and kept for 24 hours", async (store) => {
  const first = await claimed(store, "req_1");
  await first.keepAnswer(answer);
  await ended(store, first);
  let pieces = 0;
  for await (const { value } of store.kv.list({ prefix: ["kept_text"] })) {
    const { sealed } = value as { readonly sealed: Uint8Array };
    assert(!new TextDecoder().decode(sealed).includes("forty-two"));
    pieces++;
  }
  assert(pieces > 2);
  clock.ms += 24 * hourMs - 1;
  assertEquals((await claim(store, "req_2")).type, "ended");
  clock.ms += 1;
  assertEquals((await claim(store, "req_3")).type, "claimed");
});

testOnStores(
  "claimCall: a call that failed without a charge leaves its key, a charged part keeps it",
  async (store) => {
    const failed = await claimed(store, "req_1");
    await ended(store, failed, { outcome: "upstream_error", costNanoUsd: undefined });
    const cut = await claimed(store, "req_2");
    await ended(store, cut, { outcome: "truncated", costNanoUsd: 3n });
    const repeated = await claim(store, "req_3");
    assert(repeated.type === "ended");
    assertEquals(await readKeptAnswer(store, repeated.call), undefined);
  },
);

testOnStores(
  "claimCall: a restart of the only process frees its calls, even without a heartbeat",
  async (store) => {
    await claimed(store, "req_1");
    assertEquals((await claim(store, "req_2")).type, "running");
    const again = store.sharedByProcesses ? undefined : await claim(restarted(store), "req_3");
    assertEquals(again?.type ?? "claimed", "claimed");
  },
);

testOnStores(
  "claimCall: a silent call of another process loses its key after a minute, and cannot end it",
  async ({ kv, secretBox }) => {
    const process = (runId: string) => new Store(kv, { secretBox, sharedByProcesses: true, runId });
    const [one, two] = [process("one"), process("two")];
    const silent = await claimed(one, "req_1");
    clock.ms += 30_000;
    assert(await silent.renew());
    clock.ms += 59_999;
    assertEquals((await claim(two, "req_2")).type, "running");
    clock.ms += 1;
    const taken = await claimed(two, "req_3");
    assertEquals(await silent.keepAnswer(answer), false);
    await ended(one, silent);
    assertEquals((await claim(one, "req_4")).type, "running");
    await silent.release();
    assert(await taken.renew());
  },
);
