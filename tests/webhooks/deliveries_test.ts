import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { listAlerts } from "../../lib/store/alerts/mod.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { getDelivery } from "../../lib/store/webhooks/mod.ts";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { configuredId } from "../../lib/webhooks/mod.ts";
import {
  addSpender,
  fund,
  isSigned,
  openAlerts,
  secret,
  spendBalance,
  spendBudget,
  spender,
  type TestAlerts,
  webhookAt,
} from "../alerts/alerting.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../e2e/fake_upstream.ts";
import { eventually, withMemoryStore, withTempFolder } from "../store/temp_store.ts";

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** Runs a test over a store and a receiver with the given answers, to which the alerts go. */
function testDelivery(
  name: string,
  answer: (seen: Seen, count: number) => Response | Promise<Response>,
  run: (receiver: FakeUpstream, test: TestAlerts, store: Store) => Promise<void>,
): void {
  Deno.test(`delivery: ${name}`, () =>
    withMemoryStore(async (store) => {
      await addSpender(store);
      await using receiver = startUpstream((seen) => answer(seen, receiver.seen.length));
      await using test = openAlerts(store, webhookAt(`${receiver.base}/hook?team=1`));
      await run(receiver, test, store);
    }));
}

async function raiseOne(store: Store, { alerts }: TestAlerts): Promise<void> {
  await spendBudget(store, 800);
  alerts.noteSpent(spender);
  await alerts.check();
}

/** The states of the configured webhook's deliveries, by alert, newest first. */
async function deliveriesOf(store: Store) {
  const { alerts } = await listAlerts(store, { limit: 100 });
  return await Promise.all(alerts.map(async ({ id }) => {
    const delivery = await getDelivery(store, configuredId, id);
    if (delivery === undefined) return undefined;
    const { state, attempts, history } = delivery;
    const fault = state === "delivered" ? undefined : history.at(-1)?.fault;
    return { state, attempts, ...(fault !== undefined && { fault }) };
  }));
}

const ok = () => new Response("thanks");

testDelivery(
  "is signed as the standard's own library expects it",
  ok,
  async (receiver, test, store) => {
    test.clock.nowMs = Date.now();
    await spendBudget(store, 850, test.clock.nowMs);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    const [{ path, headers, body }] = receiver.seen;
    assertEquals(path, "/hook?team=1");
    assertEquals(headers.get("content-type"), "application/json");
    const event = new Webhook(secret).verify(body, Object.fromEntries(headers)) as Event;
    assertEquals(event.type, "budget.threshold_reached");
    assertEquals(event.data.id, headers.get("webhook-id"));
    assert(!String(headers.get("webhook-id")).includes("."));
    assertMatch(event.data.period.id, /^\d{4}-\d\d$/);
    assertEquals({ ...event.data, period: undefined }, {
      id: event.data.id,
      message: "The key ci-nightly has used 85 % of its monthly budget: $8.5 of $10",
      owner: { type: "key", id: "key_1", name: "ci-nightly" },
      accountId: "usr_1",
      threshold: 80,
      period: undefined,
      limitUsd: "10",
      spentUsd: "8.5",
    });
    assertEquals(await deliveriesOf(store), [{ state: "delivered", attempts: 1 }]);
  },
);

interface Event {
  readonly type: string;
  readonly data: { readonly id: string; readonly period: { readonly id: string } };
}

testDelivery(
  "says what became of a balance, and of refused calls",
  ok,
  async (receiver, test, store) => {
    await fund(store, 20n);
    await spendBalance(store, 1_580);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    await spendBudget(store, 997);
    test.alerts.noteRefused(spender, { kind: "money", name: "account balance" });
    test.alerts.noteRefused(spender, { kind: "money", name: "key monthly budget" });
    await test.alerts.check();
    const events = receiver.seen.map(({ body }) => JSON.parse(body));
    const said = events.map(({ type, data }) => [type, data.message]);
    assertEquals(said[0], [
      "balance.low",
      "The balance of account ada@example.com is low: $4.2 is left",
    ]);
    assertEquals(
      new Set(said.slice(1).map(String)),
      new Set([
        "budget.calls_refused,Calls of key ci-nightly are refused: its monthly budget leaves too little for them, $9.97 of $10 is used",
        "balance.calls_refused,Calls of account ada@example.com are refused: $4.2 of its balance is left",
      ]),
    );
    assertEquals([events[0].data.balanceUsd, events[0].data.lowBalanceUsd], ["4.2", "5"]);
    assert(receiver.seen.every(isSigned));
  },
);

testDelivery(
  "is tried again, later and later, as the same message",
  () => new Response("busy", { status: 500 }),
  async (receiver, test, store) => {
    await raiseOne(store, test);
    assertEquals(receiver.seen.length, 1);
    const waits = [
      5_000,
      5 * minuteMs,
      30 * minuteMs,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
    ];
    for (const [index, waitMs] of waits.entries()) {
      test.clock.nowMs += waitMs - 1_000;
      await test.alerts.check();
      assertEquals(receiver.seen.length, index + 1, `not before ${waitMs} ms`);
      test.clock.nowMs += 1_000;
      await test.alerts.check();
      assertEquals(receiver.seen.length, index + 2, `after ${waitMs} ms`);
    }
    test.clock.nowMs += 48 * hourMs;
    await test.alerts.check();
    assertEquals(receiver.seen.length, 10, "and then no more");
    assert(receiver.seen.every(isSigned));
    const once = (read: (seen: Seen) => unknown) => new Set(receiver.seen.map(read)).size;
    assertEquals(once(({ headers }) => headers.get("webhook-id")), 1);
    assertEquals(once(({ body }) => body), 1);
    assertEquals(
      once(({ headers }) => headers.get("webhook-timestamp")),
      10,
      "signed anew each time",
    );
    assertEquals(await deliveriesOf(store), [{
      state: "abandoned",
      attempts: 10,
      fault: "The receiver answered 500",
    }]);
    const lines = test.told.filter((line) => line.includes("Cannot deliver"));
    assertEquals(lines.length, 10);
    assertMatch(
      lines[0],
      /^warn: Cannot deliver event .*"attempts":1,"fault":"The receiver answered 500","again":/,
    );
    assertMatch(lines[9], /^error: Cannot deliver event: no further attempts are made /);
    assert(!test.told.some((line) => line.includes("127.0.0.1") || line.includes(secret)));
  },
);

testDelivery(
  "arrives at last",
  (_, count) => new Response(null, { status: count < 3 ? 503 : 204 }),
  async (receiver, test, store) => {
    await raiseOne(store, test);
    for (let hours = 0; hours < 5; hours++) {
      test.clock.nowMs += hourMs;
      await test.alerts.check();
    }
    assertEquals(receiver.seen.length, 3);
    assertEquals(await deliveriesOf(store), [{ state: "delivered", attempts: 3 }]);
  },
);

testDelivery(
  "waits as long as the receiver asks for",
  () => new Response(null, { status: 429, headers: { "retry-after": "600" } }),
  async (receiver, test, store) => {
    await raiseOne(store, test);
    test.clock.nowMs += 599_000;
    await test.alerts.check();
    assertEquals(receiver.seen.length, 1);
    test.clock.nowMs += 1_000;
    await test.alerts.check();
    assertEquals(receiver.seen.length, 2);
  },
);

testDelivery(
  "follows no redirect",
  (seen) =>
    seen.path === "/elsewhere"
      ? ok()
      : new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
  async (receiver, test, store) => {
    await raiseOne(store, test);
    assertEquals(receiver.seen.map(({ path }) => path), ["/hook?team=1"]);
    assertEquals(await deliveriesOf(store), [{
      state: "waiting",
      attempts: 1,
      fault: "The receiver answered 307",
    }]);
  },
);

testDelivery(
  "ends where the receiver is gone for good",
  () => new Response(null, { status: 410 }),
  async (receiver, test, store) => {
    await raiseOne(store, test);
    test.clock.nowMs += 100 * hourMs;
    await test.alerts.check();
    assertEquals(receiver.seen.length, 1);
    assertEquals(await deliveriesOf(store), [{
      state: "abandoned",
      attempts: 1,
      fault: "The receiver answered 410",
    }]);
  },
);

Deno.test("delivery: reads no more of an answer than its status", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    let hungUp = false;
    await using receiver = startUpstream(() => new Response(endless(() => hungUp = true)));
    await using test = openAlerts(store, webhookAt(receiver.base));
    await raiseOne(store, test);
    assertEquals(await deliveriesOf(store), [{ state: "delivered", attempts: 1 }]);
    assert(await eventually(() => hungUp));
  }));

Deno.test("delivery: a receiver that is away is tried again", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${listener.addr.port}`;
    listener.close();
    await using test = openAlerts(store, webhookAt(url));
    await raiseOne(store, test);
    assertEquals((await deliveriesOf(store))[0]?.fault, "The receiver could not be reached");
  }));

Deno.test("delivery: a receiver that answers too late gets the same message again", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    const silence = Promise.withResolvers<void>();
    await using receiver = startUpstream(() =>
      receiver.seen.length === 1 ? silence.promise.then(ok) : ok()
    );
    await using test = openAlerts(store, { ...webhookAt(receiver.base), timeoutMs: 50 });
    await raiseOne(store, test);
    assertEquals((await deliveriesOf(store))[0]?.fault, "The receiver did not answer in time");
    silence.resolve();
    test.clock.nowMs += minuteMs;
    await test.alerts.check();
    const [first, second] = receiver.seen.map(({ headers }) => headers.get("webhook-id"));
    assertEquals(first, second);
    assertEquals(await deliveriesOf(store), [{ state: "delivered", attempts: 2 }]);
  }));

Deno.test("delivery: a receiver that answers twice is heard once", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await fund(store, 20n);
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const connections: Deno.Conn[] = [];
    const serving = answerTwice(listener, connections);
    const url = `http://127.0.0.1:${listener.addr.port}`;
    {
      await using test = openAlerts(store, webhookAt(url));
      await Promise.all([spendBudget(store, 800), spendBalance(store, 1_600)]);
      test.alerts.noteSpent(spender);
      await test.alerts.check();
      await test.alerts.check();
    }
    const delivered = { state: "delivered", attempts: 1 } as const;
    assertEquals(await deliveriesOf(store), [delivered, delivered]);
    for (const connection of connections) connection.close();
    listener.close();
    await serving;
  }));

Deno.test("delivery: an attempt that is cut short by the end of the process is no attempt", () =>
  withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/t.db` } as const;
    const silence = Promise.withResolvers<void>();
    await using receiver = startUpstream(() => silence.promise.then(ok));
    const first = await openStore({ location });
    await addSpender(first);
    const before = openAlerts(first, webhookAt(receiver.base));
    await spendBudget(first, 800);
    before.alerts.noteSpent(spender);
    const checking = before.alerts.check();
    assert(await eventually(() => receiver.seen.length === 1));
    await before.alerts.close();
    await checking;
    assertEquals(await deliveriesOf(first), [{ state: "waiting", attempts: 0 }]);
    first.close();
    silence.resolve();
    const second = await openStore({ location });
    {
      await using after = openAlerts(second, webhookAt(receiver.base), {
        nowMs: before.clock.nowMs,
      });
      await after.alerts.check();
    }
    assertEquals(await deliveriesOf(second), [{ state: "delivered", attempts: 1 }]);
    second.close();
    assertEquals(new Set(receiver.seen.map(({ headers }) => headers.get("webhook-id"))).size, 1);
  }));

Deno.test("delivery: what a process claimed that was killed is sent by another, after a minute", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    const silence = Promise.withResolvers<Response>();
    await using receiver = startUpstream((seen) => seen.path === "/dead" ? silence.promise : ok());
    const dead = openAlerts(store, webhookAt(`${receiver.base}/dead`));
    await spendBudget(store, 800);
    dead.alerts.noteSpent(spender);
    const checking = dead.alerts.check();
    assert(await eventually(() => receiver.seen.length === 1));
    await using alive = openAlerts(store, webhookAt(`${receiver.base}/alive`), dead.clock);
    await alive.alerts.check();
    assertEquals(receiver.seen.length, 1, "claimed by the other");
    dead.clock.nowMs += minuteMs;
    await alive.alerts.check();
    assertEquals(receiver.seen.map(({ path }) => path), ["/dead", "/alive"]);
    silence.resolve(new Response(null, { status: 500 }));
    await checking;
    await dead.alerts.close();
    assertEquals(
      await deliveriesOf(store),
      [{ state: "delivered", attempts: 1 }],
      "too late to say",
    );
  }));

Deno.test("delivery: two processes send each alert once", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await fund(store, 20n);
    await using receiver = startUpstream(ok);
    await using one = openAlerts(store, webhookAt(receiver.base));
    await using other = openAlerts(store, webhookAt(receiver.base), one.clock);
    for (let call = 0; call < 20; call++) {
      await Promise.all([spendBudget(store, 50), spendBalance(store, 100)]);
      for (const { alerts } of [one, other]) alerts.noteSpent(spender);
      await Promise.all([one.alerts.check(), other.alerts.check()]);
    }
    assertEquals(receiver.seen.length, 4);
    assertEquals(new Set(receiver.seen.map(({ headers }) => headers.get("webhook-id"))).size, 4);
    assert((await deliveriesOf(store)).every((delivery) => delivery?.state === "delivered"));
  }));

Deno.test("delivery: the first that fails lets the others wait, and they come next", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    let failing = true;
    await using receiver = startUpstream(() => new Response(null, { status: failing ? 500 : 200 }));
    await using test = openAlerts(store, webhookAt(receiver.base));
    await fund(store, 20n);
    await Promise.all([spendBudget(store, 800), spendBalance(store, 1_600)]);
    test.alerts.noteSpent(spender);
    await test.alerts.check();
    assertEquals(receiver.seen.length, 1);
    failing = false;
    await test.alerts.check();
    assertEquals(receiver.seen.length, 2);
    test.clock.nowMs += 6_000;
    await test.alerts.check();
    assertEquals(receiver.seen.length, 3);
  }));

Deno.test("delivery: alerts and attempts are counted", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    const metrics = new Metrics();
    await using receiver = startUpstream(() =>
      new Response(null, { status: receiver.seen.length === 1 ? 500 : 200 })
    );
    await using test = openAlerts(store, {
      ...webhookAt(receiver.base),
      onRaised: (type) => metrics.observeAlert(type),
      onDelivery: (outcome) => metrics.observeAlertDelivery(outcome),
    });
    await raiseOne(store, test);
    test.clock.nowMs += minuteMs;
    await test.alerts.check();
    const text = await metrics.text();
    assertStringIncludes(text, 'tessera_alerts_total{type="budget.threshold_reached"} 1');
    assertStringIncludes(text, 'tessera_alert_deliveries_total{outcome="failed"} 1');
    assertStringIncludes(text, 'tessera_alert_deliveries_total{outcome="delivered"} 1');
  }));

Deno.test("delivery: without a webhook nothing waits to be sent", () =>
  withMemoryStore(async (store) => {
    await addSpender(store);
    await using test = openAlerts(store);
    await raiseOne(store, test);
    assertEquals(await deliveriesOf(store), [undefined]);
    await using receiver = startUpstream(ok);
    await using later = openAlerts(store, webhookAt(receiver.base), test.clock);
    await later.alerts.check();
    assertEquals(receiver.seen.length, 0);
  }));

async function answerTwice(listener: Deno.Listener, connections: Deno.Conn[]): Promise<void> {
  const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  for await (const connection of listener) {
    connections.push(connection);
    await connection.read(new Uint8Array(65_536));
    await connection.write(new TextEncoder().encode(answer + answer));
  }
}

function endless(onCancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    cancel: onCancel,
  });
}

testDelivery("a test is signed, tried once and kept nowhere", ok, async (receiver, test, store) => {
  test.clock.nowMs = Date.now();
  assertEquals(await test.alerts.test(), "delivered");
  const [{ body, headers }] = receiver.seen;
  const event = new Webhook(secret).verify(body, Object.fromEntries(headers)) as Event;
  assertEquals(event.type, "test");
  await test.alerts.check();
  assertEquals([receiver.seen.length, await deliveriesOf(store)], [1, []]);
});

testDelivery(
  "a test says what went wrong",
  () => new Response("no", { status: 503 }),
  async (receiver, test) => {
    assertEquals(await test.alerts.test(), "answered-503");
    await receiver[Symbol.asyncDispose]();
    assertEquals(await test.alerts.test(), "unreachable");
  },
);

Deno.test("delivery: without a webhook there is nothing to test", () =>
  withMemoryStore(async (store) => {
    await using test = openAlerts(store);
    assertEquals(await test.alerts.test(), undefined);
  }));
