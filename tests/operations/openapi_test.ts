import { Validator } from "@seriousme/openapi-schema-validator";
import { assert, assertEquals } from "@std/assert";
import { isJsonObject, type JsonValue } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { openapi } from "../../lib/operations/openapi.ts";
import { operationalEndpoints } from "../../lib/operations/operational.ts";
import { servedEndpoints } from "../../lib/operations/served.ts";
import { startGateway } from "../e2e/gateway.ts";

Deno.test("openapi is a valid document of OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(openapi()));
  assertEquals(result.errors ?? [], []);
  assertEquals([result.valid, validator.version], [true, "3.1"]);
});

Deno.test("openapi describes the request of every format, and all references resolve", () => {
  const { components } = openapi();
  assert(isJsonObject(components) && isJsonObject(components.schemas));
  for (const name of Object.keys(codecs)) {
    const schema = components.schemas[name];
    assert(isJsonObject(schema) && isJsonObject(schema.properties), name);
    assertEquals(schema.type, "object");
  }
  for (const reference of referencesIn(openapi())) {
    const [, , kind, name] = reference.split("/");
    const described = components[kind];
    assert(isJsonObject(described) && Object.hasOwn(described, name), reference);
  }
});

/** Every `METHOD /path` of the description, in words that sort. */
function described(): string[] {
  const { paths } = openapi();
  assert(isJsonObject(paths));
  return Object.entries(paths).flatMap(([path, methods]) => {
    assert(isJsonObject(methods));
    return Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`);
  }).sort();
}

Deno.test("openapi describes every route of the dispatcher and no other", () => {
  const served = servedEndpoints.map(({ endpoint: { method, path, verb } }) =>
    `${method} ${path}${verb ? `:${verb}` : ""}`
  );
  assertEquals(described(), [...served, ...operationalEndpoints.keys()].sort());
});

/** Operators' endpoints that refuse an empty request. */
const refuses = /stripe|oauth\/(token|usage)|managed|v1\/(metrics|logs|traces)$/;

Deno.test("openapi: a server answers as described", async () => {
  await using gateway = await startGateway();
  for (const route of described()) {
    const [method, path] = route.split(" ");
    const url = gateway.base + path.replace(/\{\w+\}/g, "x1");
    const response = await fetch(url, { method, redirect: "manual" });
    await response.body?.cancel();
    const isOpen = operationalEndpoints.has(route);
    const wanted = isOpen ? response.status : 401;
    assertEquals([route, response.status], [route, wanted]);
    assert(isOpen ? refuses.test(route) || response.status < 400 : true, route);
  }
});

Deno.test("openapi: no two operations have the same id", () => {
  const ids = JSON.stringify(openapi()).match(/"operationId":"[^"]*"/g) ?? [];
  assertEquals(new Set(ids).size, ids.length);
});

Deno.test("openapi: every carrier of a key opens the API", async () => {
  const { components } = openapi();
  assert(isJsonObject(components) && isJsonObject(components.securitySchemes));
  await using gateway = await startGateway();
  for (const [name, scheme] of Object.entries(components.securitySchemes)) {
    assert(isJsonObject(scheme));
    const url = new URL(`${gateway.base}/v1/models`);
    const headers = new Headers();
    if (scheme.type === "http") headers.set("authorization", `Bearer ${gateway.key}`);
    else if (scheme.in === "query") url.searchParams.set(String(scheme.name), gateway.key);
    else headers.set(String(scheme.name), gateway.key);
    const response = await fetch(url, { headers });
    await response.body?.cancel();
    assertEquals([name, response.status], [name, 200]);
  }
});

Deno.test("requestJsonSchema is made once and names what each format requires", () => {
  const required = Object.values(codecs).map(({ name, requestJsonSchema }) => {
    assert(requestJsonSchema?.() === requestJsonSchema?.());
    return [name, requestJsonSchema?.().required];
  });
  assertEquals(Object.fromEntries(required), {
    "chat-completions": ["model", "messages"],
    responses: ["model"],
    messages: ["model", "messages", "max_tokens"],
    "generate-content": ["contents"],
  });
});

function referencesIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}
