import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { StateCodec } from "../../lib/formats/state_codec.ts";
import { GroupCommit } from "../../lib/ledger/mod.ts";
import {
  addItems,
  beginConversation,
  gatheredPart,
} from "../../lib/responses_state/conversations.ts";
import { FreeWrites, Jobs, type ResponsesDeps } from "../../lib/responses_state/dependencies.ts";
import type { Store } from "../../lib/store/mod.ts";
import { listConversationPages, storeExchanges } from "../../lib/store/responses/mod.ts";
import { withMemoryStore } from "../store/temp_store.ts";

const dayMs = 86_400_000;
const retentionMs = 10 * dayMs;
const owner = { accountId: "usr_a", state: stateOf() };
const item = (content: string) => ({ role: "user", content });
const everything = { limit: 100, order: "asc" } as const;

function stateOf(): StateCodec {
  const { state } = codecs.responses;
  assert(state);
  return state;
}

/** The dependencies of stored responses, with a clock that the test sets. */
function depsOf(store: Store): ResponsesDeps & { nowMs: number } {
  const deps: ResponsesDeps & { nowMs: number } = {
    nowMs: Date.parse("2026-11-21T12:00:00Z"),
    store,
    settings: {
      storeByDefault: true,
      retentionMs,
      exchangeBytesMax: 100_000,
      eventsBytesMax: 100_000,
      bodyBytesMax: 1_000_000,
    },
    now: () => deps.nowMs,
    exchanges: new GroupCommit((exchanges) => storeExchanges(store, exchanges), 64),
    freeWrites: new FreeWrites(1_000_000, () => deps.nowMs),
    jobs: new Jobs(),
    report: (error) => {
      throw error;
    },
  };
  return deps;
}

Deno.test("a conversation lives on with all that it has as long as something is added to it", () =>
  withMemoryStore(async (store) => {
    const deps = depsOf(store);
    const { id } = await beginConversation(deps, owner, { items: [item("one")], metadata: {} });
    for (const content of ["two", "three", "four"]) {
      deps.nowMs += 6 * dayMs;
      await addItems(deps, owner, { id, items: [item(content)] });
    }
    const { entries } = await gatheredPart(deps, owner, { id, query: everything });
    assertEquals(entries.map((entry) => entry.item.content), ["one", "two", "three", "four"]);
    const pages = await listConversationPages(store, { accountId: owner.accountId, id });
    for (const { keptAtMs } of pages) assert(deps.nowMs - keptAtMs <= retentionMs);
  }));

Deno.test("a conversation to which nothing is added is gone after its time", () =>
  withMemoryStore(async (store) => {
    const deps = depsOf(store);
    const { id } = await beginConversation(deps, owner, { items: [item("one")], metadata: {} });
    deps.nowMs += retentionMs;
    await assertRejects(
      () => addItems(deps, owner, { id, items: [item("two")] }),
      GatewayError,
      "not found",
    );
  }));

Deno.test("FreeWrites counts by account and minute, and says when there is room again", () => {
  let nowMs = 30_000;
  const writes = new FreeWrites(10_000, () => nowMs);
  writes.take("a", 8_000);
  const { retryAfterSeconds } = assertThrows(() => writes.take("a", 8_000), GatewayError);
  assertEquals(retryAfterSeconds, 30);
  writes.take("b", 8_000);
  nowMs = 60_000;
  writes.take("a", 8_000);
});
