import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { operations } from "../../lib/management/mod.ts";
import { startApi } from "./api.ts";

/** A place in a JSON Schema, such as `["properties", "models", "items"]`. */
type Place = readonly string[];

/** The places of texts without a maximum length or a list of values. */
function openTexts(node: unknown, place: Place = []): Place[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, maxLength, enum: values, const: constant } = node as Record<string, unknown>;
  const isOpen = type === "string" && maxLength === undefined && values === undefined &&
    constant === undefined;
  const inner = Object.entries(node)
    .filter(([name]) => !["propertyNames", "examples", "default"].includes(name))
    .flatMap(([name, member]) => openTexts(member, [...place, name]));
  return isOpen ? [place, ...inner] : inner;
}

/** A body or query with a text at a place of its schema. */
function valueWith(text: string, [step, ...rest]: Place): unknown {
  if (step === undefined) return text;
  if (step === "items") return [valueWith(text, rest)];
  const [name, ...inner] = rest;
  return step === "properties" ? { [name]: valueWith(text, inner) } : valueWith(text, inner); // anyOf
}

Deno.test("management: every text of a request has a maximum length", () => {
  let found = 0;
  for (const { method, path, query, body } of operations) {
    for (const schema of [query, body]) {
      if (schema === undefined) continue;
      for (
        const place of openTexts(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))
      ) {
        found++;
        const { error } = schema.safeParse(valueWith("x".repeat(10_000), place));
        const isRefused = error?.issues.some(({ path: [name] }) => name === place[1]);
        assert(isRefused, `${method} ${path}: ${place.join("/")} takes any text`);
      }
    }
  }
  assert(found > 10, String(found)); // such as names, whose rule comes after trimming
});

Deno.test("management: IDs that are too long for the store are refused, not looked for", async () => {
  await using api = await startApi();
  await api.ask("POST", "/groups", { body: { id: "full" } });
  await api.ask("POST", "/keys", { body: { name: "inside", group: "full" } });
  const long = "x".repeat(8_000);
  const body = { name: "ci", user_id: "漢".repeat(20_000) };
  const headers = { "idempotency-key": "one" };
  for (
    const [param, answer] of [
      ["user_id", await api.ask("GET", `/keys?user_id=${long}`)],
      ["user_id", await api.ask("POST", "/keys", { body, headers })],
      ["move_keys_to", await api.ask("DELETE", `/groups/full?move_keys_to=${long}`)],
      ["email", await api.ask("GET", `/users?email=${long}`)],
    ] as const
  ) assertEquals([answer.status, answer.body.error.param], [400, param]);
  const longest = encodeURIComponent("漢".repeat(500));
  assertEquals((await api.ask("GET", `/keys?user_id=${longest}`)).body.data, []);
  const again = await api.ask("POST", "/keys", { body: { name: "ci" }, headers });
  assertEquals(again.status, 201); // the refusal freed its key
});

Deno.test("management: times outside the years 1970 to 9999 are refused", async () => {
  await using api = await startApi();
  for (
    const time of [
      "0000-01-01T00:00:00Z",
      "1969-12-31T23:59:59Z",
      "1970-01-01T00:00:00%2B00:01",
      "9999-12-31T23:59:59-23:59",
    ]
  ) {
    for (const path of ["/audit", "/calls", "/usage"]) {
      for (const param of ["from", "to"]) {
        const { status, body } = await api.ask("GET", `${path}?${param}=${time}`);
        assertEquals([status, body.error.param], [400, param], `${path} ${time}`);
      }
    }
  }
  const all = "from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z";
  for (const path of ["/audit", "/calls", "/usage"]) {
    assertEquals((await api.ask("GET", `${path}?${all}`)).status, 200, path);
  }
  const { body } = await api.ask("GET", "/usage?to=9999-12-31T23:59:59Z");
  assertEquals(body.to, "9999-12-31T23:59:59.999Z");
});

Deno.test("management: a query of very many names is read in proportion to its length", async () => {
  await using api = await startApi();
  const names = Array.from({ length: 12_000 }, (_, at) => at.toString(36));
  const startMs = performance.now();
  assertEquals((await api.ask("GET", `/keys?${names.join("&")}`)).status, 400);
  const elapsedMs = performance.now() - startMs;
  assert(elapsedMs < 1_000, `${elapsedMs} ms`); // 3,500 ms when each name was compared with all
  const long = "n".repeat(20_000);
  const { body } = await api.ask("GET", `/keys?${long}=1&${long}=2`);
  assertEquals(body.error.param, "n".repeat(200));
});
