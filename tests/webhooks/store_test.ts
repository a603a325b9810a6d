import { assert, assertEquals } from "@std/assert";
import { createAuditEntry, listAuditEntries } from "../../lib/store/audit/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import {
  addressEvent,
  claimDelivery,
  endClaim,
  getDelivery,
  hasWaiting,
  listDeliveries,
  listOutbox,
  postEvent,
  postEventAtEnd,
  postEventOnce,
  pruneDeliveries,
  sendAgain,
  type WebhookEvent,
} from "../../lib/store/webhooks/mod.ts";
import { eventOfAudit } from "../../lib/webhooks/webhooks.ts";
import { nowMs } from "../alerts/alerting.ts";
import { testOnStores } from "../store/temp_store.ts";

function event(number: number): WebhookEvent {
  const id = `evt_${String(number).padStart(3, "0")}`;
  return { id, type: "call.failed", atMs: nowMs + number, body: `{"n":${number}}` };
}

/** Addresses every event in the outbox, with its own time as the time it is due. */
async function addressAll(store: Store, endpointIds: readonly string[]): Promise<void> {
  for (const taken of await listOutbox(store)) {
    assert(taken.entry.source === "event");
    const { event } = taken.entry;
    assert(await addressEvent(store, taken, { event, endpointIds, nowMs: event.atMs }));
  }
}

testOnStores(
  "a due delivery is claimed by one of any number, until the claim ends",
  async (store) => {
    for (const number of [1, 2, 3]) await postEvent(store, event(number));
    await addressAll(store, ["whe_1"]);
    const claim = (atMs: number) => claimDelivery(store, "whe_1", { nowMs: atMs, claimMs: 60_000 });
    const claimAll = async (atMs: number) => {
      const claimed = await Promise.all(Array.from({ length: 20 }, () => claim(atMs)));
      return claimed.filter((one) => one !== undefined);
    };
    assertEquals(await claim(nowMs), undefined, "nothing is due yet");
    const first = await claimAll(nowMs + 2);
    assertEquals(first.map(({ delivery }) => delivery.eventId).sort(), ["evt_001", "evt_002"]);
    assertEquals((await claimAll(nowMs + 3)).map(({ delivery }) => delivery.eventId), ["evt_003"]);
    const again = await claimAll(nowMs + 60_002);
    assertEquals(again.map(({ delivery }) => delivery.eventId).sort(), ["evt_001", "evt_002"]);
    const end = { state: "delivered", attempts: 1, nowMs } as const;
    const late = first.find(({ delivery }) => delivery.eventId === "evt_001");
    const holder = again.find(({ delivery }) => delivery.eventId === "evt_001");
    assert(late && holder);
    assert(!await endClaim(store, late, end));
    assert(await endClaim(store, holder, end));
    const ended = await getDelivery(store, "whe_1", "evt_001");
    assertEquals([ended?.state, ended?.attempts, ended?.dueAtMs], ["delivered", 1, undefined]);
  },
);

testOnStores("an event is addressed once, to each of its receivers", async (store) => {
  await postEvent(store, event(1));
  const [taken] = await listOutbox(store);
  const addressed = { event: event(1), endpointIds: ["whe_1", "whe_2"], nowMs };
  const results = await Promise.all([1, 2, 3].map(() => addressEvent(store, taken, addressed)));
  assertEquals(results.filter(Boolean).length, 1);
  assertEquals(await listOutbox(store), []);
  for (const id of ["whe_1", "whe_2"]) {
    const { deliveries } = await listDeliveries(store, id, { limit: 10 });
    assertEquals(deliveries.map(({ eventId, body }) => [eventId, body]), [["evt_001", '{"n":1}']]);
  }
});

testOnStores("deliveries are listed newest first, and only the newest are kept", async (store) => {
  for (let number = 0; number < 7; number++) await postEvent(store, event(number));
  await addressAll(store, ["whe_1", "whe_2"]);
  const pages: string[][] = [];
  let before: string | undefined;
  do {
    const page = await listDeliveries(store, "whe_1", { before, limit: 3 });
    pages.push(page.deliveries.map(({ eventId }) => eventId.slice(-1)));
    before = page.next;
  } while (before !== undefined);
  assertEquals(pages, [["6", "5", "4"], ["3", "2", "1"], ["0"]]);
  await pruneDeliveries(store, "whe_1", 2);
  const { deliveries } = await listDeliveries(store, "whe_1", { limit: 10 });
  assertEquals(deliveries.map(({ eventId }) => eventId), ["evt_006", "evt_005"]);
  await pruneDeliveries(store, "whe_1", 0);
  await pruneDeliveries(store, "whe_2", 0);
  assert(!await hasWaiting(store), "nothing that was deleted is due");
});

testOnStores("a delivery is sent again, whatever became of it", async (store) => {
  await postEvent(store, event(1));
  await addressAll(store, ["whe_1"]);
  const claim = () => claimDelivery(store, "whe_1", { nowMs: nowMs + 10, claimMs: 60_000 });
  const claimed = await claim();
  assert(claimed);
  assert(await endClaim(store, claimed, { state: "abandoned", attempts: 10, nowMs }));
  assertEquals(await claim(), undefined);
  assert(await sendAgain(store, { endpointId: "whe_1", eventId: "evt_001" }, nowMs));
  assert(await sendAgain(store, { endpointId: "whe_1", eventId: "evt_001" }, nowMs + 5));
  assertEquals((await claim())?.delivery.attempts, 0);
  assertEquals(await claim(), undefined, "twice sent again is due once");
  assert(!await sendAgain(store, { endpointId: "whe_1", eventId: "evt_404" }, nowMs));
});

testOnStores("a state is reported once until it ends, and its end once", async (store) => {
  const mark = { id: "down:acme", lifetimeMs: 60_000 };
  const once = (number: number) => postEventOnce(store, event(number), mark);
  const results = await Promise.all([1, 2, 3].map(once));
  assertEquals(results.filter(Boolean).length, 1);
  assert(await postEventAtEnd(store, event(4), mark.id));
  assert(!await postEventAtEnd(store, event(5), mark.id));
  assert(await once(6));
  assertEquals((await listOutbox(store)).length, 3);
});

testOnStores(
  "a change of a key and its event are one commit; other changes have none",
  async (store) => {
    const draft = {
      atMs: nowMs,
      actorId: "usr_1",
      actorName: "ada@example.com",
      kind: "key",
      action: "created",
      targetId: "key_1",
      targetName: "ci",
      changes: [],
    } as const;
    await createAuditEntry(store, draft);
    await createAuditEntry(store, { ...draft, action: "changed" });
    await createAuditEntry(store, { ...draft, kind: "group" });
    const { entries } = await listAuditEntries(store, { limit: 10 });
    const created = entries.find(({ action, kind }) => action === "created" && kind === "key");
    const waiting = await listOutbox(store);
    assertEquals(waiting.map(({ entry }) => entry), [{ source: "audit", id: created?.id ?? "" }]);
    const sent = created && eventOfAudit(created);
    assertEquals(sent?.type, "key.created");
    assertEquals(JSON.parse(sent?.body ?? "").data.key, { id: "key_1", name: "ci" });
  },
);
