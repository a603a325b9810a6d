import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { lexer } from "marked";
import {
  apiGroupsOf,
  curlOf,
  exampleText,
  fieldOf,
  readDescription,
  type ReferenceField,
  referenceFields,
  type ReferenceOperation,
} from "../../lib/docs/mod.ts";
import { describeManagement } from "../../lib/management/mod.ts";
import { openapi } from "../../lib/operations/openapi.ts";
import { startGateway } from "../e2e/gateway.ts";

const description = readDescription(JSON.stringify(openapi(describeManagement())));
const groups = apiGroupsOf(description);
const operations = groups.flatMap(({ operations }) => operations);

function at(method: string, path: string): ReferenceOperation {
  const found = operations.find((one) => one.method === method && one.path === path);
  assert(found, `${method} ${path} is not shown`);
  return found;
}

Deno.test("API reference: every operation and event is shown once, under an anchor of its own", () => {
  const shown = operations.flatMap(({ method, path, aliases }) =>
    [path, ...aliases].map((each) => `${method} ${each}`.trim())
  );
  const paths = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "head" || !("get" in methods))
      .map((method) => `${method.toUpperCase()} ${path}`)
  );
  assertEquals(shown.toSorted(), [...paths, ...Object.keys(description.webhooks)].toSorted());
  for (const { operations } of groups) {
    assertEquals(new Set(operations.map(({ id }) => id)).size, operations.length);
  }
});

function textsOf(field: ReferenceField): string[] {
  return [field.text, ...field.fields.flatMap(textsOf)];
}

Deno.test("API reference: every text has paragraphs alone, of which nothing is left out", () => {
  const bodies = operations.flatMap(({ described: { requestBody, responses } }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.entries(responses).filter(([status]) => !/^[45]/.test(status))
      .flatMap(([, { content = {} }]) => Object.values(content)),
  ]);
  const texts = [
    ...groups.map(({ text }) => text),
    ...operations.flatMap(({ described }) => [
      described.description ?? "",
      ...(described.parameters ?? []).map((parameter) => fieldOf(parameter).text),
      ...Object.values(described.responses).map((response) => response.description),
    ]),
    ...bodies.flatMap(({ schema }) => referenceFields(schema).flatMap(textsOf)),
  ];
  assert(texts.filter((text) => text !== "").length > 500);
  for (const text of texts) {
    const kinds = lexer(text).map(({ type }) => type);
    assert(kinds.every((kind) => kind === "paragraph" || kind === "space"), text);
  }
});

Deno.test("API reference: fields have their type, bounds and nested fields", () => {
  const { parameters = [], requestBody, responses } = at("POST", "/api/v1/keys").described;
  const body = requestBody?.content["application/json"]?.schema ?? {};
  const fields = new Map(referenceFields(body).map((field) => [field.name, field]));
  assertEquals([fields.get("name")?.isRequired, fields.get("group")?.isRequired], [true, false]);
  assertEquals(fields.get("expires_at")?.type, "string (date-time) or null");
  assertEquals(fields.get("group")?.bounds, ["at most 500 characters", 'default: `"default"`']);
  assertEquals(fields.get("budgets")?.type, "map of string or null");
  assertEquals(fields.get("limits")?.fields.map(({ name, type }) => [name, type]), [
    ["requests_per_minute", "integer or null"],
    ["tokens_per_minute", "integer or null"],
    ["concurrency", "integer or null"],
  ]);
  assertEquals(fields.get("user_id")?.text, "Default: the administrator that the token belongs to");
  assertEquals(parameters.map(fieldOf).map(({ name }) => name), ["Idempotency-Key"]);
  const created = responses["201"]?.content?.["application/json"]?.schema ?? {};
  assert(referenceFields(created).some(({ name }) => name === "secret"));
});

Deno.test("API reference: a field that differs between alternatives has all of its values", () => {
  const items: Parameters<typeof referenceFields>[0] = {
    oneOf: [
      { type: "object", properties: { kind: { const: "a" }, x: {} }, required: ["kind", "x"] },
      { type: "object", properties: { kind: { const: 2 } }, required: ["kind"] },
      { type: "object", properties: { kind: { const: false } }, required: ["kind"] },
    ],
  };
  const [kind, x] = referenceFields({ type: ["array", "null"], items });
  assertEquals([kind.type, kind.isRequired], ["string or number or boolean", true]);
  assertEquals(kind.values, ['"a"', "2", "false"]);
  assertEquals([x.type, x.isRequired], ["any", false]);
});

Deno.test("API reference: each example is a call that the gateway takes, and JSON", async () => {
  await using gateway = await startGateway();
  const bodies = {
    "/v1/chat/completions": "gpt-5-mini",
    "/v1/responses": "gpt-5-mini",
    "/v1/messages": "claude-haiku-4-5",
  };
  for (const [path, model] of Object.entries(bodies)) {
    const { described } = at("POST", path);
    const [, body = ""] = /-d '(.+)'$/s.exec(curlOf("POST", path, described)) ?? [];
    const sent = { ...JSON.parse(body), model: "tessera-echo" };
    assertEquals(JSON.parse(body).model, model);
    const response = await fetch(gateway.base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    const given = await response.json();
    assertEquals(response.status, 200, JSON.stringify(given));
    const schema = described.responses["200"]?.content?.["application/json"]?.schema ?? {};
    const shown = Object.keys(JSON.parse(exampleText(schema)));
    assert(shown.includes("id") && shown.includes("usage"), shown.join());
    assertEquals(shown.filter((name) => !(name in given)), [], path);
  }
  const { described } = at("DELETE", "/api/v1/groups/{id}");
  assertEquals(
    curlOf("DELETE", "/api/v1/groups/{id}", described),
    'curl "$BASE_URL/api/v1/groups/$ID" \\\n  -X DELETE \\\n  -H "Authorization: Bearer $TOKEN"',
  );
});

Deno.test("API reference: the pages show all groups, in both languages, without a script", async () => {
  await using gateway = await startGateway();
  for (const group of groups) {
    const html = await (await fetch(`${gateway.base}/docs/api/${group.slug}`)).text();
    for (const { id } of group.operations) assertStringIncludes(html, `id="${id}"`);
  }
  const home = await fetch(`${gateway.base}/docs/api`, { headers: { "accept-language": "zh-CN" } });
  assertStringIncludes(await home.text(), "管理 API");
  const unknown = await fetch(`${gateway.base}/docs/api/nothing`);
  await unknown.body?.cancel();
  assertEquals(unknown.status, 404);
});
