import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { operations } from "../../lib/management/mod.ts";
import { deleteAdminToken, listAdminTokens } from "../../lib/store/admin_tokens/mod.ts";
import { type ApiAnswer, startApi, type TestApi } from "./api.ts";

/** IDs that no object has, and that break careless readers of paths and keys. */
const strangeIds = [
  "x".repeat(10_000),
  "%00",
  "__proto__",
  "constructor",
  "..%2F..%2Fkeys",
  "%F0%9F%92%A5",
  "%ED%A0%80",
  "*",
  "%20",
] as const;

/** Bodies that are no object, or have a field that no operation knows. */
const strangeBodies = [[], null, 7, "text", { "no such field": 1 }, '{"__proto__":{"a":1}}'];

const withScope = operations.filter(({ scope }) => scope !== undefined);

function pathWith(path: string, id: string): string {
  return path.replace(/\{\w+\}/g, id);
}

/** A token that may make 600 changes more, in place of the last one. */
async function freshToken(api: TestApi): Promise<string> {
  const former = (await listAdminTokens(api.store)).filter(({ name }) => name === "fresh");
  for (const { id } of former) await deleteAdminToken(api.store, id);
  return await api.newToken({ name: "fresh", scopes: ["*"] });
}

function assertRefused({ status, body }: ApiAnswer, what: string): void {
  assert(status >= 400 && status < 500, `${what}: ${status} ${JSON.stringify(body)}`);
  const { type, code, message, request_id } = body.error;
  for (const text of [type, code, message, request_id]) assertEquals(typeof text, "string", what);
}

Deno.test("management: every operation needs its scope and names it", async () => {
  await using api = await startApi();
  const token = await api.newToken({ scopes: ["nothing:read"] });
  for (const { method, path, scope, body } of withScope) {
    const what = `${method} ${path}`;
    const ask = { token, ...(body && { body: {} }) };
    const answer = await api.ask(method, pathWith(path, "x"), ask);
    assertEquals([what, answer.status, answer.body.error.code], [what, 403, "scope_missing"]);
    assertStringIncludes(answer.body.error.message, String(scope));
  }
});

Deno.test("management: an operation that does not compare If-Match refuses it", async () => {
  await using api = await startApi();
  const headers = { "if-match": '"0"' };
  const ignoring = operations.filter(({ method, errors = [] }) =>
    method !== "GET" && !errors.includes("object_changed")
  );
  assert(ignoring.length > 10, String(ignoring.length));
  for (const { method, path, body } of ignoring) {
    const ask = { headers, token: await freshToken(api), ...(body && { body: {} }) };
    const answer = await api.ask(method, pathWith(path, "x"), ask);
    const { error = {} } = answer.body ?? {};
    const what = `${method} ${path}`;
    assertEquals([what, answer.status, error.param], [what, 400, "If-Match"]);
  }
});

Deno.test("management: every operation refuses ids that no object has", async () => {
  await using api = await startApi();
  for (const { method, path, body } of operations.filter(({ path }) => path.includes("{"))) {
    const token = await freshToken(api);
    for (const id of strangeIds) {
      const answer = await api.ask(method, pathWith(path, id), {
        token,
        ...(body && { body: {} }),
      });
      assertRefused(answer, `${method} ${path} with ${id.slice(0, 40)}`);
    }
  }
});

Deno.test("management: every operation refuses a query that it does not know, and names it", async () => {
  await using api = await startApi();
  for (const { method, path, body } of operations) {
    const token = await freshToken(api);
    const address = `${pathWith(path, "x")}?no_such_field=1`;
    const answer = await api.ask(method, address, { token, ...(body && { body: {} }) });
    assertEquals([`${method} ${path}`, answer.status], [`${method} ${path}`, 400]);
    assertEquals(answer.body.error.param, "no_such_field");
  }
});

Deno.test("management: every operation refuses bodies of another shape", async () => {
  await using api = await startApi();
  for (const { method, path } of operations.filter(({ body }) => body !== undefined)) {
    const token = await freshToken(api);
    for (const body of strangeBodies) {
      const answer = await api.ask(method, pathWith(path, "x"), {
        token,
        body,
        headers: { "content-type": "application/json" },
      });
      const what = `${method} ${path} with ${JSON.stringify(body)}`;
      assertRefused(answer, what);
      assertEquals([what, answer.status], [what, 400]);
    }
  }
});
