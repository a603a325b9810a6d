import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { caller, Clock, Network } from "./network.ts";

/** Token services that answer anything at all. */

const resource = "https://res.services.ai.azure.com";
const login = "https://login.microsoftonline.com";
const source = { type: "entra", tenantId: "t", clientId: "c", clientSecret: "s3cret-of-app" };

function calling(answer: () => Response) {
  const clock = new Clock();
  const network = new Network({ [resource]: () => new Response("fine"), [login]: answer });
  const call = caller({ network, clock, source, cloud: { surface: "foundry" } });
  return { clock, network, call: () => call(`${resource}/anthropic/v1/messages`) };
}

const token = (end: Record<string, unknown>) => () =>
  Response.json({ access_token: "tok", token_type: "Bearer", ...end });

for (
  const end of [
    { expires_in: -1 },
    { expires_in: 0 },
    { expires_in: "soon" },
    { expires_in: null },
    { expires_in: {} },
    { expires_on: "yesterday" },
    { expires_on: 1 },
  ]
) {
  Deno.test(`a token with ${JSON.stringify(end)} is requested once by the calls of a moment, and again within two hours`, async () => {
    const { clock, network, call } = calling(token(end));
    for (let n = 0; n < 5; n++) assertEquals(await call(), "200 fine");
    assertEquals(network.count(login), 1);
    clock.pass(120);
    await call();
    assertEquals(network.count(login), 2);
  });
}

Deno.test("a token that ends in another age is renewed within a day", async () => {
  const { clock, network, call } = calling(token({ expires_in: 1e300 }));
  await call();
  clock.pass(24 * 60);
  await call();
  await call();
  assertEquals(network.count(login), 2);
});

Deno.test("a service with nothing but expired tokens is asked once by 100 calls at once, and twice in a minute", async () => {
  const { clock, network, call } = calling(token({ expires_in: -3_600 }));
  await Promise.all(Array.from({ length: 100 }, call));
  assertEquals(network.count(login), 1);
  clock.pass(0.4);
  await Promise.all(Array.from({ length: 100 }, call));
  assertEquals(network.count(login), 1);
  clock.pass(0.2);
  await Promise.all(Array.from({ length: 100 }, call));
  assertEquals(network.count(login), 2);
});

for (
  const [name, answer] of Object.entries({
    HTML: () => new Response("<html><body>Sign in</body></html>"),
    "ten megabytes": () => new Response("x".repeat(10_000_000)),
    "ten megabytes of JSON": () => Response.json({ access_token: "x".repeat(10_000_000) }),
    nothing: () => new Response(""),
    null: () => new Response("null"),
    "a list": () => new Response("[1]"),
    "deeply nested JSON": () => new Response("[".repeat(60_000)),
    "a token that is an object": () => Response.json({ access_token: { a: 1 } }),
    "a token with line ends": () => Response.json({ access_token: "a\r\nx-evil: 1" }),
    "a token beyond ASCII": () => Response.json({ access_token: "tökén" }),
  })
) {
  Deno.test(`a token service that answers ${name} is an upstream's failure, without a secret`, async () => {
    const { call } = calling(answer);
    const error = await assertRejects(call, GatewayError);
    assertEquals(error.code, "upstream_error");
    assert(!JSON.stringify([error.message, error.said, String(error.cause)]).includes("s3cret"));
  });
}

Deno.test("a token service that repeats the secret is not quoted with it", async () => {
  const { call } = calling(() =>
    Response.json({ error: "invalid_client", error_description: `Bad secret s3cret-of-app` }, {
      status: 401,
    })
  );
  const error = await assertRejects(call, GatewayError);
  assertEquals(error.code, "upstream_unauthorized");
  const shown = JSON.stringify([error.message, error.said, String(error.cause)]);
  assert(!shown.includes("s3cret"), shown);
});
