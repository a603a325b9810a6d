import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { crossOrigin } from "../../lib/http/cross_origin.ts";
import { startGateway, testKey } from "./gateway.ts";

const app = "https://app.example.com";
const other = "https://other.example.com";
const sdkHeaders =
  "authorization,content-type,x-api-key,x-goog-api-key,anthropic-version,anthropic-dangerous-direct-browser-access,x-stainless-lang,x-stainless-retry-count,tessera-tag,tessera-strict";
const chat = { model: "tessera-echo", messages: [{ role: "user", content: "hi" }] };

function preflightOf(origin: string, path = "/v1/chat/completions"): [string, RequestInit] {
  return [path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": sdkHeaders,
    },
  }];
}

function callOf(origin: string | undefined, body: object = chat, key = testKey): RequestInit {
  return {
    method: "POST",
    headers: {
      ...(origin && { origin }),
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  };
}

/** The headers that a browser goes by. */
function corsOf({ headers }: Response) {
  return {
    origin: headers.get("access-control-allow-origin"),
    exposed: headers.get("access-control-expose-headers"),
    credentials: headers.get("access-control-allow-credentials"),
  };
}

const refused = { origin: null, exposed: null, credentials: null };
const readable = { origin: app, exposed: "*", credentials: null };

async function withGateway(
  config: Record<string, unknown>,
  run: (at: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
): Promise<void> {
  await using gateway = await startGateway(config);
  await run(async (path, init) => {
    const response = await fetch(gateway.base + path, { redirect: "manual", ...init });
    await response.text();
    return response;
  });
}

Deno.test("cors: nothing is readable from another origin by default", () =>
  withGateway({}, async (at) => {
    const preflight = await at(...preflightOf(app));
    assertEquals([preflight.status, corsOf(preflight)], [405, refused]);
    const answer = await at("/v1/chat/completions", callOf(app));
    assertEquals([answer.status, corsOf(answer), answer.headers.get("vary")], [200, refused, null]);
  }));

Deno.test("cors: a preflight of an allowed origin allows what SDKs send, without a key", () =>
  withGateway({ cors: { origins: [app] } }, async (at) => {
    for (const path of ["/v1/chat/completions", "/v1beta/models/m:generateContent", "/openai/x"]) {
      const { status, headers } = await at(...preflightOf(app, path));
      assertEquals(status, 204, path);
      assertEquals(headers.get("access-control-allow-origin"), app);
      assertEquals(headers.get("access-control-allow-headers"), sdkHeaders);
      assertEquals(headers.get("access-control-allow-methods"), "GET, POST, DELETE");
      assertEquals(headers.get("access-control-max-age"), "7200");
      assertEquals(headers.get("vary"), "origin, access-control-request-headers");
    }
  }));

Deno.test("cors: another origin learns nothing, and caches keep the two apart", () =>
  withGateway({ cors: { origins: [app] } }, async (at) => {
    const preflight = await at(...preflightOf(other));
    assertEquals([preflight.status, corsOf(preflight)], [204, refused]);
    assertEquals(preflight.headers.get("access-control-allow-headers"), null);
    for (const origin of [other, undefined, "null"]) {
      const answer = await at("/v1/chat/completions", callOf(origin));
      assertEquals([corsOf(answer), answer.headers.get("vary")], [refused, "origin"]);
    }
  }));

const answers = [
  { name: "an answer", path: "/v1/chat/completions", init: callOf(app), status: 200 },
  {
    name: "a stream",
    path: "/v1/chat/completions",
    init: callOf(app, { ...chat, stream: true }),
    status: 200,
  },
  {
    name: "a wrong key",
    path: "/v1/chat/completions",
    init: callOf(app, chat, "sk-x"),
    status: 401,
  },
  { name: "a bad body", path: "/v1/messages", init: callOf(app, { model: 1 }), status: 400 },
  { name: "a wrong base URL", path: "/openai/v1/responses", init: callOf(app), status: 404 },
  { name: "the models", path: "/v1/models", init: { headers: { origin: app } }, status: 401 },
] as const;
Deno.test("cors: answers, streams and errors are readable for an allowed origin", () =>
  withGateway({ cors: { origins: [other, app] } }, async (at) => {
    for (const { name, path, init, status } of answers) {
      const response = await at(path, init);
      assertEquals(response.status, status, name);
      assertEquals([corsOf(response), response.headers.get("vary")], [readable, "origin"], name);
      assert(response.headers.has("x-request-id"), name);
    }
  }));

Deno.test("cors: * allows every origin in words that caches may keep", () =>
  withGateway({ cors: { origins: ["*"] } }, async (at) => {
    for (const origin of [app, other, "null"]) {
      const answer = await at("/v1/chat/completions", callOf(origin));
      assertEquals(corsOf(answer), { ...readable, origin: "*" });
      assertEquals(answer.headers.get("vary"), null);
      assertEquals((await at(...preflightOf(origin))).status, 204);
    }
  }));

Deno.test("cors: the console and the operator's addresses are readable from no other origin", () =>
  withGateway({ cors: { origins: ["*"] } }, async (at) => {
    for (const path of ["/console", "/login", "/preferences", "/metrics", "/stripe/webhook"]) {
      const preflight = await at(...preflightOf(app, path));
      assertEquals(corsOf(preflight), refused, path);
      assertEquals(preflight.headers.get("access-control-allow-headers"), null, path);
    }
    for (const path of ["/", "/console", "/login", "/pricing", "/metrics", "/healthz"]) {
      const page = await at(path, { headers: { origin: app, accept: "text/html" } });
      assertEquals(corsOf(page), refused, path);
    }
  }));

Deno.test("cors: a preflight that asks for no names of headers allows none", () => {
  const request = new Request("http://gw.example/v1/models", {
    method: "OPTIONS",
    headers: {
      origin: app,
      "access-control-request-method": "GET",
      "access-control-request-headers": "a b; c",
    },
  });
  const response = crossOrigin([app])?.preflight(request);
  assertEquals(response?.headers.get("access-control-allow-headers"), null);
  assertStringIncludes(response?.headers.get("access-control-allow-methods") ?? "", "GET");
});
