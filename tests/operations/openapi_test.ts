import { assert, assertEquals } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { isJsonObject, type JsonValue } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { openapi } from "../../lib/operations/openapi.ts";

Deno.test("openapi is a valid document of OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(openapi()));
  assertEquals(result.errors ?? [], []);
  assertEquals([result.valid, validator.version], [true, "3.1"]);
});

Deno.test("openapi describes the request of every format, and its references lead somewhere", () => {
  const { components } = openapi();
  assert(isJsonObject(components) && isJsonObject(components.schemas));
  for (const name of Object.keys(codecs)) {
    const schema = components.schemas[name];
    assert(isJsonObject(schema) && isJsonObject(schema.properties), name);
    assertEquals(schema.type, "object");
  }
  for (const reference of referencesIn(openapi())) {
    assert(reference.startsWith("#/components/schemas/"), reference);
    assert(Object.hasOwn(components.schemas, reference.split("/")[3]), reference);
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
