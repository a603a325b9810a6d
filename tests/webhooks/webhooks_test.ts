import { assert, assertEquals, assertMatch } from "@std/assert";
import { Webhook } from "standardwebhooks";
import type { AlertsOptions } from "../../lib/alerts/mod.ts";
import { createApiKey } from "../../lib/store/api_keys/mod.ts";
import { createAuditEntry, listAuditEntries } from "../../lib/store/audit/mod.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listDeliveries,
  listOutbox,
  updateEndpoint,
  type WebhookEndpoint,
} from "../../lib/store/webhooks/mod.ts";
import { createSend } from "../../lib/upstreams/mod.ts";
import {
  type EventType,
  eventTypes,
  newEndpoint,
  rotatedEndpoint,
  switchedEndpoint,
} from "../../lib/webhooks/mod.ts";
import { addSpender, nowMs, openAlerts, spender, type TestAlerts } from "../alerts/alerting.ts";
import { type FakeUpstream, startUpstream } from "../e2e/fake_upstream.ts";
import { sampleKey, sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const dayMs = 24 * hourMs;
const addresses = { allowsPrivate: false, allowsLoopback: true };

/** Webhooks over a store, and a receiver. */
interface Scene {
  readonly store: Store;
  readonly receiver: FakeUpstream;
  readonly test: TestAlerts;
  /** Adds an endpoint at the receiver. */
  add(path: string, types?: readonly (EventType | "*")[]): Promise<WebhookEndpoint>;
  /** Moves the clock and lets the gateway pass once. */
  pass(afterMs?: number): Promise<void>;
  /** The received events of a path, by type. */
  received(path: string): string[];
}

function testWebhooks(
  name: string,
  run: (scene: Scene) => Promise<void>,
  answer: (path: string, count: number) => Response = () => new Response(),
): void {
  Deno.test(`webhooks: ${name}`, () =>
    withMemoryStore(async (store) => {
      await addSpender(store);
      await using receiver = startUpstream(({ path }) => answer(path, receiver.seen.length));
      const send = createSend({ dialFirst: true, addresses });
      await using test = openAlerts(store, { send } satisfies Partial<AlertsOptions>);
      await run(sceneOf(store, receiver, test));
    }));
}

function sceneOf(store: Store, receiver: FakeUpstream, test: TestAlerts): Scene {
  return {
    ...{ store, receiver, test },
    add: async (path, types = ["*"]) => {
      const settings = { url: `${receiver.base}${path}`, types: [...types], description: "" };
      const endpoint = newEndpoint(settings, test.clock.nowMs);
      assert(await createEndpoint(store, endpoint));
      return endpoint;
    },
    pass: async (afterMs = 0) => {
      test.clock.nowMs += afterMs;
      await test.alerts.check();
    },
    received: (path) =>
      receiver.seen.filter((seen) => seen.path === path).map(({ body }) => JSON.parse(body).type),
  };
}

async function auditKey(store: Store, action: "created" | "deleted", name = "ci"): Promise<void> {
  await createAuditEntry(store, {
    atMs: nowMs,
    actorId: "usr_9",
    actorName: "ada@example.com",
    kind: "key",
    action,
    targetId: `key_${name}`,
    targetName: name,
    changes: [],
  });
}

function failedRow(number: number, fields: Partial<RequestLogRow> = {}): RequestLogRow {
  return sampleRow(number, {
    ...{ outcome: "upstream_error", status: 502, errorCode: "upstream_timeout" },
    ...{ keyId: "key_1", keyName: "ci-nightly", model: "gpt-5", upstreamId: "acme" },
    ...fields,
  });
}

testWebhooks(
  "each endpoint receives the types that it wants, signed with its own secret",
  async (scene) => {
    const { store, receiver, test, add, pass, received } = scene;
    test.clock.nowMs = Date.now();
    const all = await add("/all");
    const some = await add("/some", ["key.deleted", "call.failed"]);
    await auditKey(store, "created");
    await auditKey(store, "deleted");
    await pass();
    assertEquals(received("/all").toSorted(), ["key.created", "key.deleted"]);
    assertEquals(received("/some"), ["key.deleted"]);
    for (const { path, body, headers } of receiver.seen) {
      const { secret } = path === "/all" ? all : some;
      const event = new Webhook(secret).verify(body, Object.fromEntries(headers)) as {
        readonly type: EventType;
        readonly data: { readonly id: string; readonly message: string };
      };
      assertEquals(event.data.id, headers.get("webhook-id"));
      eventTypes[event.type].data.strict().parse(event.data);
      assertMatch(event.data.message, /^ada@example\.com (created|deleted) the key ci$/);
    }
    assertEquals(await listOutbox(store), []);
  },
);

testWebhooks("a receiver that fails is tried again and delays no other", async (scene) => {
  const { store, test, add, pass, received } = scene;
  const failing = await add("/failing");
  await add("/fine");
  await auditKey(store, "created");
  await auditKey(store, "deleted");
  await pass();
  assertEquals([received("/failing").length, received("/fine").length], [1, 2]);
  assert((await getEndpoint(store, failing.id))?.failingSinceMs);
  await pass(6 * secondMs);
  await pass(6 * minuteMs);
  await pass(hourMs);
  const { deliveries } = await listDeliveries(store, failing.id, { limit: 10 });
  assertEquals(deliveries.map(({ state }) => state), ["delivered", "delivered"]);
  assertEquals(new Set(received("/failing")), new Set(["key.created", "key.deleted"]));
  assertEquals((await getEndpoint(store, failing.id))?.failingSinceMs, undefined);
  const first = deliveries.find(({ history }) => history.length > 1);
  assertEquals(first?.history[0].status, 503);
  assertEquals(first?.history[0].fault, "The receiver answered 503");
  assert(test.told.some((line) => line.includes("Cannot deliver event")));
}, (path, count) => new Response(null, { status: path === "/failing" && count < 5 ? 503 : 204 }));

testWebhooks(
  "a flood of failed calls is one event a minute for each key, model and cause",
  async (scene) => {
    const { store, receiver, test, add, pass } = scene;
    await add("/hook", ["call.failed"]);
    const flood = (fields: Partial<RequestLogRow> = {}) => {
      for (let call = 0; call < 500; call++) {
        test.alerts.noteCall(failedRow(call, { ...fields, errorMessage: "the secret prompt" }));
      }
    };
    flood();
    flood({ model: "gpt-5-mini" });
    await pass();
    flood();
    await pass(20 * secondMs);
    assertEquals(receiver.seen.length, 2, "the second flood waits for its minute");
    await pass(minuteMs);
    const events = receiver.seen.map(({ body }) => JSON.parse(body).data);
    assertEquals(events.map(({ model, calls }) => [model, calls]), [
      ["gpt-5", 500],
      ["gpt-5-mini", 500],
      ["gpt-5", 500],
    ]);
    for (const data of events) eventTypes["call.failed"].data.strict().parse(data);
    assertEquals(
      events[0].message,
      "500 calls of gpt-5 with the key ci-nightly failed: upstream_timeout",
    );
    assert(!receiver.seen.some(({ body }) => body.includes("prompt")));
    for (let kind = 0; kind < 1_000; kind++) {
      test.alerts.noteCall(
        failedRow(1, { model: `m${kind}` }),
      );
    }
    await pass(minuteMs);
    assert(receiver.seen.length <= 3 + 50, `${receiver.seen.length} events`);
    assertEquals(await listOutbox(store), []);
  },
);

testWebhooks("a fault of the caller is no failed call", async ({ receiver, test, add, pass }) => {
  await add("/hook");
  test.alerts.noteCall(
    failedRow(1, { outcome: "refused", status: 400, errorCode: "invalid_json" }),
  );
  test.alerts.noteCall(failedRow(2, { outcome: "client_gone", status: 499 }));
  test.alerts.noteCall(failedRow(3, { outcome: "completed", status: 200 }));
  await pass();
  assertEquals(receiver.seen.length, 0);
});

testWebhooks("a limit that refuses calls is reported with the name of the key", async (scene) => {
  const { receiver, test, add, pass } = scene;
  await add("/hook", ["limit.reached"]);
  for (const name of ["key requests per minute", "key monthly budget"]) {
    const kind = name.includes("budget") ? "money" : "requests";
    for (let call = 0; call < 3; call++) test.alerts.noteRefused(spender, { kind, name });
  }
  await pass();
  const events = receiver.seen.map(({ body }) => JSON.parse(body).data);
  for (const data of events) eventTypes["limit.reached"].data.strict().parse(data);
  assertEquals(events.map(({ limit, calls, key }) => [limit.name, calls, key.name]), [
    ["key requests per minute", 3, "ci-nightly"],
    ["key monthly budget", 3, "ci-nightly"],
  ]);
});

testWebhooks(
  "refusals of any number of sessions are one event, beside that of a key",
  async (scene) => {
    const { receiver, test, add, pass } = scene;
    await add("/hook", ["limit.reached"]);
    for (let n = 0; n < 60; n++) {
      test.alerts.noteRefused(spender, { kind: "money", name: "session budget", ownerId: `s${n}` });
    }
    test.alerts.noteRefused(spender, { kind: "money", name: "key daily budget" });
    await pass();
    const events = receiver.seen.map(({ body }) => JSON.parse(body).data);
    for (const data of events) eventTypes["limit.reached"].data.strict().parse(data);
    assertEquals(events.map(({ limit, calls }) => [limit, calls]), [
      [{ name: "session budget", kind: "money" }, 60],
      [{ name: "key daily budget", kind: "money" }, 1],
    ]);
  },
);

testWebhooks(
  "an upstream is reported down once by all isolates, and recovered once",
  async (scene) => {
    const { store, receiver, test, add, pass, received } = scene;
    await add("/hook", ["upstream.down", "upstream.recovered", "upstream.credential_refused"]);
    const send = createSend({ dialFirst: true, addresses });
    await using other = openAlerts(store, { send }, test.clock);
    let state = "open";
    const untilMs = nowMs + minuteMs;
    for (const { alerts } of [test, other]) {
      alerts.webhooks.watchUpstreams(() => [
        { upstreamId: "acme", state },
        { upstreamId: "acme", credentialId: "c1", state },
      ]);
      alerts.webhooks.noteOpened({
        target: { upstreamId: "acme" },
        code: "upstream_timeout",
        untilMs,
      });
      const target = { upstreamId: "acme", credentialId: "c1" };
      alerts.webhooks.noteOpened({ target, code: "upstream_unauthorized", untilMs });
    }
    await Promise.all([pass(), other.alerts.check()]);
    await pass();
    assertEquals(received("/hook").toSorted(), ["upstream.credential_refused", "upstream.down"]);
    state = "half-open";
    await pass();
    assertEquals(received("/hook").length, 2, "a half-open breaker has not recovered");
    state = "closed";
    await Promise.all([pass(), other.alerts.check()]);
    await pass();
    assertEquals(received("/hook").slice(2), ["upstream.recovered", "upstream.recovered"]);
    for (const { body } of receiver.seen) {
      const { type, data } = JSON.parse(body);
      eventTypes[type as EventType].data.strict().parse(data);
    }
  },
);

testWebhooks(
  "a key that expires is reported once",
  async ({ store, receiver, test, add, pass }) => {
    await add("/hook", ["key.expired"]);
    const dated = (id: string, expiresAtMs: number) =>
      createApiKey(store, sampleKey({ id, name: id, digest: id, expiresAtMs }));
    await dated("key_soon", nowMs + 30 * minuteMs);
    await dated("key_later", nowMs + 30 * dayMs);
    await dated("key_before", nowMs - 30 * dayMs);
    await pass();
    assertEquals(receiver.seen.length, 0);
    for (let hour = 0; hour < 5; hour++) await pass(hourMs + secondMs);
    const [event, ...more] = receiver.seen.map(({ body }) => JSON.parse(body).data);
    assertEquals([event.key.id, more], ["key_soon", []]);
    eventTypes["key.expired"].data.strict().parse(event);
    assert(test.told.every((line) => !line.includes("Cannot")));
  },
);

testWebhooks(
  "after a rotation both secrets verify for a day, then the new one alone",
  async (scene) => {
    const { store, receiver, test, add, pass } = scene;
    test.clock.nowMs = Date.now();
    const former = await add("/hook");
    const { id, secret: formerSecret } = former;
    const rotated = await updateEndpoint(
      store,
      id,
      (one) => rotatedEndpoint(one, test.clock.nowMs),
    );
    assert(rotated && rotated.secret !== formerSecret);
    await auditKey(store, "created");
    await pass();
    await auditKey(store, "deleted");
    await pass(dayMs + secondMs);
    const signedBy = (secret: string) =>
      receiver.seen.map(({ headers }) => {
        const [eventId, seconds, signatures] = ["id", "timestamp", "signature"]
          .map((name) => headers.get(`webhook-${name}`) ?? "");
        const body = receiver.seen.find((seen) => seen.headers === headers)?.body ?? "";
        const at = new Date(Number(seconds) * 1_000);
        return signatures.split(" ").includes(new Webhook(secret).sign(eventId, at, body));
      });
    assertEquals(signedBy(rotated.secret), [true, true]);
    assertEquals(signedBy(formerSecret), [true, false]);
  },
);

testWebhooks("an endpoint that fails for five days is disabled, with an entry", async (scene) => {
  const { store, receiver, add, pass } = scene;
  const { id } = await add("/hook");
  for (let day = 0; day < 6; day++) {
    await auditKey(store, "created", `ci${day}`);
    await pass(dayMs);
  }
  const disabled = await getEndpoint(store, id);
  assertEquals([disabled?.enabled, disabled?.disabledBecause], [false, "failing"]);
  const { entries: [entry] } = await listAuditEntries(store, {
    filter: { kind: "webhook" },
    limit: 5,
  });
  assertEquals([entry.action, entry.actorName, entry.targetId], ["disabled", "Tessera", id]);
  const { length } = receiver.seen;
  await auditKey(store, "deleted");
  await pass(dayMs);
  assertEquals(receiver.seen.length, length, "nothing is sent to a disabled endpoint");
}, () => new Response(null, { status: 500 }));

testWebhooks("a pause keeps what waits, and nothing of the meantime", async (scene) => {
  const { store, add, pass, received } = scene;
  const { id } = await add("/hook");
  const enable = (enabled: boolean) =>
    updateEndpoint(store, id, (one) => switchedEndpoint(one, enabled));
  await auditKey(store, "created");
  await pass();
  await enable(false);
  await auditKey(store, "deleted");
  await pass(hourMs);
  assertEquals(received("/hook"), ["key.created"], "refused once, and paused");
  await enable(true);
  await pass(hourMs);
  assertEquals(received("/hook"), ["key.created", "key.created"]);
}, (_, count) => new Response(null, { status: count === 1 ? 500 : 204 }));

testWebhooks("an endpoint that answers 410 is disabled at once", async ({ store, add, pass }) => {
  const { id } = await add("/hook");
  await auditKey(store, "created");
  await pass();
  assertEquals((await getEndpoint(store, id))?.disabledBecause, "gone");
}, () => new Response(null, { status: 410 }));

Deno.test("webhooks: an address of the console that is private is not called", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using receiver = startUpstream(() => new Response());
    await using test = openAlerts(store); // public addresses only
    const { add, pass } = sceneOf(store, receiver, test);
    const endpoint = await add("/hook");
    await auditKey(store, "created");
    await pass();
    assertEquals(receiver.seen.length, 0);
    const { deliveries: [delivery] } = await listDeliveries(store, endpoint.id, { limit: 1 });
    assertEquals([delivery.state, delivery.attempts], ["waiting", 1]);
    assertEquals(await test.alerts.test(endpoint), "unreachable");
  }));

testWebhooks("the deliveries of a deleted endpoint are deleted within the hour", async (scene) => {
  const { store, add, pass } = scene;
  const { id } = await add("/hook");
  await auditKey(store, "created");
  await pass();
  await deleteEndpoint(store, id);
  await pass(hourMs + secondMs);
  assertEquals((await listDeliveries(store, id, { limit: 1 })).deliveries, []);
});

testWebhooks(
  "a chat gets a message without a signature",
  async (scene) => {
    const { store, receiver, test, pass } = scene;
    const draft: Parameters<typeof newEndpoint>[0] = {
      url: `${receiver.base}/slack`,
      types: ["*"],
      description: "",
      format: "slack",
    };
    const endpoint = newEndpoint(draft, test.clock.nowMs);
    assert(await createEndpoint(store, endpoint));
    await auditKey(store, "created");
    await pass();
    const [{ body, headers }] = receiver.seen;
    assertEquals(JSON.parse(body), { text: "ada@example.com created the key ci" });
    assertEquals(headers.get("webhook-signature"), null);
    const { deliveries } = await listDeliveries(store, endpoint.id, { limit: 1 });
    assertEquals([deliveries[0].state, JSON.parse(deliveries[0].body).type], [
      "delivered",
      "key.created",
    ]);
  },
);
