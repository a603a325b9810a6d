import { assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { withSources } from "../../../lib/upstreams/credentials/mod.ts";
import { Renewed } from "../../../lib/upstreams/credentials/renewed.ts";
import { createSend, networkFaultOf, type Outbound } from "../../../lib/upstreams/send.ts";
import { FakeGoogle, privateKey } from "./fake_google.ts";
import { caller, Clock, Network, nobody, timeouts } from "./network.ts";

/** Values `1`, `2`, … that live for some minutes; a failing service rejects. */
function numbers(minutes: number) {
  const clock = new Clock();
  const service = { made: 0, fails: false };
  const make = () => {
    service.made++;
    if (service.fails) return Promise.reject(new Error("down"));
    return Promise.resolve({ value: service.made, endsAtMs: clock.nowMs + minutes * 60_000 });
  };
  return { clock, service, renewed: new Renewed(make, clock.now) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

Deno.test("Renewed: a failed renewal keeps the value until its end, and is retried after 30 seconds", async () => {
  const { clock, service, renewed } = numbers(60);
  assertEquals((await renewed.get()).value, 1);
  service.fails = true;
  clock.pass(56);
  for (let n = 0; n < 5; n++) {
    assertEquals((await renewed.get()).value, 1);
    await settled();
  }
  assertEquals(service.made, 2);
  clock.pass(1);
  assertEquals((await renewed.get()).value, 1);
  await settled();
  assertEquals(service.made, 3);
  clock.pass(3);
  await assertRejects(() => renewed.get(), Error, "down");
  service.fails = false;
  assertEquals((await renewed.get()).value, 5);
});

Deno.test("Renewed: a value that lives for less than ten minutes is renewed at half of its time", async () => {
  const { clock, service, renewed } = numbers(4);
  await renewed.get();
  clock.pass(1);
  await renewed.get();
  assertEquals(service.made, 1);
  clock.pass(1);
  assertEquals((await renewed.get()).value, 1);
  await settled();
  assertEquals((await renewed.get()).value, 2);
});

Deno.test("Renewed: a late refusal of a former value leaves the new one", async () => {
  const { service, renewed } = numbers(60);
  const { value } = await renewed.get();
  assertEquals(renewed.refuse(value), true);
  assertEquals((await renewed.get()).value, 2);
  assertEquals(renewed.refuse(value), false);
  assertEquals((await renewed.get()).value, 2);
  assertEquals(service.made, 2);
});

Deno.test("withSources: a caller that disconnects leaves the request for a token to the others", async () => {
  const clock = new Clock();
  const google = new FakeGoogle(clock);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const network = new Network({
    "https://oauth2.googleapis.com": async (request) => {
      await opened;
      return await google.oauth(request);
    },
    "https://vertex.test": google.vertex,
  });
  const source = {
    type: "authorized_user",
    client_id: "client-1",
    client_secret: "secret-1",
  } as const;
  const whole = { ...source, refresh_token: "1//refresh" };
  const used = {
    source: whole,
    secret: JSON.stringify(whole),
    upstream: { origin: "config" },
  } as const;
  const outbound: Outbound = {
    url: "https://vertex.test/",
    origin: "config",
    headers: {},
    source: used,
  };
  const machine = { variables: {}, isForAll: false };
  const send = withSources(network.send, { machine, now: clock.now });
  const gone = new AbortController();
  const first = send(outbound, timeouts, gone.signal);
  const second = send(outbound, timeouts, nobody);
  gone.abort();
  assertEquals((await assertRejects(() => first, GatewayError)).code, "client_closed");
  open();
  assertEquals((await second).status, 200);
  assertEquals(google.issued("refresh"), 1);
});

Deno.test("withSources: an upstream of the console reaches no private token service", async () => {
  const send = createSend({ dialFirst: true });
  const source = {
    ...{ type: "service_account", client_email: "a@b.test", private_key: privateKey },
    token_uri: "http://127.0.0.1:9/token",
  };
  const network = { send } as Network;
  const call = caller({ network, clock: new Clock(), source, origin: "console" });
  const error = await assertRejects(() => call("https://vertex.test/"), GatewayError);
  assertEquals([error.code, networkFaultOf(error.cause)], ["upstream_error", "address"]);
  send.endAll();
});
