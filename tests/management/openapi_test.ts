import { Validator } from "@seriousme/openapi-schema-validator";
import { assert, assertEquals } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../lib/canonical/mod.ts";
import { describeManagement, operations } from "../../lib/management/mod.ts";
import { openapi } from "../../lib/operations/openapi.ts";
import { startApi } from "./api.ts";

function document(): JsonObject {
  return openapi(describeManagement());
}

Deno.test("management: the description is valid OpenAPI 3.1, and every reference resolves", async () => {
  const described = document();
  const result = await new Validator().validate(structuredClone(described));
  assertEquals(result.errors ?? [], []);
  const { components } = described;
  assert(isJsonObject(components));
  for (const [reference] of JSON.stringify(described).matchAll(/#\/components\/[^"]+/g)) {
    const [, , kind, name] = reference.split("/");
    const named = components[kind];
    assert(isJsonObject(named) && Object.hasOwn(named, name), reference);
  }
  assert(!JSON.stringify(described).includes("#/$defs"), "a schema refers to a part of its own");
});

Deno.test("management: every operation is described with its scope, its answer and its errors", () => {
  const { paths } = describeManagement();
  for (const { method, path, scope, answer, status = 200, body } of operations) {
    const described = paths[`/api/v1${path}`];
    assert(isJsonObject(described));
    const operation = described[method.toLowerCase()];
    assert(isJsonObject(operation), `${method} ${path}`);
    const { responses, requestBody, description = "" } = operation;
    assert(isJsonObject(responses));
    assert(Object.hasOwn(responses, answer ? String(status) : "204"));
    for (const error of ["400", "401", "403", "500", "503"]) {
      assert(Object.hasOwn(responses, error));
    }
    assertEquals(requestBody !== undefined, body !== undefined);
    assertEquals(description, scope ? `Scope: \`${scope}\`` : "");
  }
});

Deno.test("management: /openapi.json of a server has the management API", async () => {
  await using api = await startApi();
  const response = await fetch(`${api.base}/openapi.json`);
  const { paths, components } = await response.json();
  assert(paths["/api/v1/keys/{id}/rotate"].post);
  assert(components.schemas.Key.properties.name);
  assert(components.securitySchemes.apiToken);
});
