import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { balanceOf, createPayment } from "../../lib/store/money/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { compose } from "../../main.ts";
import { sampleUser } from "../store/samples.ts";
import { eventually, withTempFolder } from "../store/temp_store.ts";
import { type FakeStripe, serveFakeStripe, signed } from "./fake_stripe.ts";

type Server = Awaited<ReturnType<typeof compose>>;

/** The whole server over a store in memory, with a Stripe of our own. */
async function withServer(run: (server: Server, stripe: FakeStripe) => Promise<void>) {
  const stripe = serveFakeStripe(Date.now);
  const server = await compose({ TESSERA_KV: ":memory:", ...environmentOf(stripe) });
  try {
    await run(server, stripe);
  } finally {
    await server.close();
    await stripe.close();
  }
}

function environmentOf({ config }: FakeStripe) {
  return {
    STRIPE_SECRET_KEY: config.secretKey,
    STRIPE_WEBHOOK_SECRET: config.webhookSecret,
    STRIPE_API_BASE: config.apiBase,
  };
}

const info: Deno.ServeHandlerInfo<Deno.NetAddr> = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
};

async function post(server: Server, body: string, headers: HeadersInit): Promise<[number, string]> {
  const request = new Request("http://localhost/stripe/webhook", { method: "POST", body, headers });
  const response = await server.fetch(request, info);
  return [response.status, await response.text()];
}

Deno.test("POST /stripe/webhook answers 2xx once the credit is durable", () =>
  withServer(async (server, stripe) => {
    const { store } = server;
    await createUser(store, sampleUser());
    const { id } = stripe.begin();
    const begun = { id, accountId: "usr_1", amountNanoUsd: 1n, createdAtMs: Date.now() };
    await createPayment(store, begun);
    const body = JSON.stringify(stripe.pay(id));
    const signature = await signed(body, Date.now());
    const headers = { "stripe-signature": signature, "content-type": "application/json" };
    stripe.failure = 403;
    const [status] = await post(server, body, headers);
    assertEquals(status, 503);
    stripe.failure = undefined;
    assertEquals(await post(server, body, headers), [200, "Taken\n"]);
    assertEquals(await balanceOf(server.store, "usr_1"), 10_000_000_000n);
  }));

Deno.test("POST /stripe/webhook refuses unsigned and oversized bodies", () =>
  withServer(async (server) => {
    const [status, text] = await post(server, "{}", { "stripe-signature": "t=1,v1=00" });
    assertEquals(status, 400);
    assertStringIncludes(text, "STRIPE_WEBHOOK_SECRET");
    assertEquals((await post(server, "{}", {}))[0], 400);
    assertEquals((await post(server, "x".repeat(1_048_577), {}))[0], 413);
  }));

Deno.test("POST /stripe/webhook answers 404 if payments are not configured", async () => {
  const server = await compose({ TESSERA_KV: ":memory:" });
  assertEquals(await post(server, "{}", {}), [404, "Payments are not set up here\n"]);
  await server.close();
});

Deno.test("a start credits payments made while the server was down", () =>
  withTempFolder(async (folder) => {
    const TESSERA_KV = `${folder}/tessera.db`;
    const stripe = serveFakeStripe(Date.now);
    const { id } = stripe.begin();
    const first = await compose({ TESSERA_KV });
    await createUser(first.store, sampleUser());
    const begun = { id, accountId: "usr_1", amountNanoUsd: 1n, createdAtMs: Date.now() };
    await createPayment(first.store, begun);
    await first.close();
    stripe.pay(id);
    const second = await compose({ TESSERA_KV, ...environmentOf(stripe) });
    assert(await eventually(async () => await balanceOf(second.store, "usr_1") > 0n));
    await second.close();
    await stripe.close();
  }));
