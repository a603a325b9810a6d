import { assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { withSources } from "../../../lib/upstreams/credentials/mod.ts";
import { Renewed } from "../../../lib/upstreams/credentials/renewed.ts";
import { createSend, networkFaultOf, type Outbound } from "../../../lib/upstreams/send.ts";
import { serveLoopback } from "../../e2e/fake_upstream.ts";
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

/** Every address that a source may name, at metadata services and in the operator's network. */
const hosts = [
  "127.0.0.1:9",
  "169.254.169.254",
  "169.254.170.2",
  "[fd00:ec2::254]",
  "[::ffff:169.254.169.254]",
  "[fe80::a9fe:a9fe]",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "localhost",
];
const account = { type: "service_account", client_email: "a@b.test", private_key: privateKey };
const foreign = {
  ...{ type: "external_account", audience: "a", subject_token_type: "t" },
  token_url: "https://sts.test/",
};
const aws = {
  type: "aws",
  accessKeyId: "AKIA1",
  secretAccessKey: "s",
  roleArn: "arn:aws:iam::1:role/r",
};
const cloud = { surface: "bedrock", region: "us-east-1" } as const;

for (const host of hosts) {
  Deno.test(`withSources: no upstream of the console reaches a token service at ${host}`, async () => {
    const send = createSend({ dialFirst: true });
    const url = `http://${host}/latest/meta-data/`;
    const network = { send } as Network;
    for (
      const [source, more] of [
        [{ ...account, token_uri: url }, {}],
        [{ ...foreign, credential_source: { url } }, {}],
        [{ type: "entra", tenantId: "t", clientId: "c", clientSecret: "s", authority: url }, {}],
        [{ ...aws, stsEndpoint: url }, { cloud }],
      ] as const
    ) {
      const call = caller({ network, clock: new Clock(), source, origin: "console", ...more });
      const error = await assertRejects(() => call("https://vertex.test/"), GatewayError);
      assertEquals([error.code, networkFaultOf(error.cause)], ["upstream_error", "address"]);
    }
    send.endAll();
  });
}

Deno.test("withSources: no token service sends a request on to another address", async () => {
  let asked = 0;
  await using target = serveLoopback(() => {
    asked++;
    return Response.json({ access_token: "tok" });
  });
  await using service = serveLoopback(() => Response.redirect(target.base, 307));
  const send = createSend({ dialFirst: true });
  const source = { ...account, token_uri: `${service.base}/token` };
  const call = caller({ network: { send } as Network, clock: new Clock(), source });
  const error = await assertRejects(() => call("https://vertex.test/"), GatewayError);
  assertEquals([error.code, asked], ["upstream_error", 0]);
  send.endAll();
});
