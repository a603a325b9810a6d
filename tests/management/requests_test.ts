import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { deleteAdminToken, listAdminTokens } from "../../lib/store/admin_tokens/mod.ts";
import { listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { updateUser, type User } from "../../lib/store/users/mod.ts";
import { user } from "../console/people.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { StoreError } from "../../lib/store/mod.ts";
import { testKey } from "../e2e/gateway.ts";
import { startApi } from "./api.ts";

Deno.test("management: only an API token in the Authorization header opens the API", async () => {
  await using api = await startApi();
  for (const token of ["", testKey, "sk-admin-", "sk-admin-0000000000000000000000000000000000"]) {
    const { status, body, headers } = await api.ask("GET", "/keys", { token });
    assertEquals([status, body.error.code], [401, "invalid_api_key"], token);
    assertStringIncludes(headers.get("www-authenticate") ?? "", "Bearer");
    assertEquals(body.error.request_id, headers.get("x-request-id"));
  }
  for (const carrier of ["x-api-key", "cookie"]) {
    const headers = { authorization: "", [carrier]: api.secret };
    assertEquals((await api.ask("GET", "/keys", { headers })).status, 401);
  }
  const inQuery = await fetch(`${api.base}/api/v1/keys?key=${api.secret}`);
  await inQuery.body?.cancel();
  assertEquals(inQuery.status, 401);
});

Deno.test("management: a token opens no model call", async () => {
  await using api = await startApi();
  const headers = { authorization: `Bearer ${api.secret}` };
  const response = await fetch(`${api.base}/v1/models`, { headers });
  await response.body?.cancel();
  assertEquals(response.status, 401);
});

Deno.test("management: a token ends when it is revoked or expires", async () => {
  await using api = await startApi();
  const expired = await api.newToken({ name: "expired", expiresAtMs: Date.now() - 1 });
  assertEquals((await api.ask("GET", "/keys", { token: expired })).status, 401);
  const own = (await listAdminTokens(api.store)).find(({ name }) => name === "test");
  assert(own && await deleteAdminToken(api.store, own.id));
  assertEquals((await api.ask("GET", "/keys")).status, 401);
});

Deno.test("management: a token of a former administrator stays ended when the role comes back", async () => {
  await using api = await startApi();
  const other = user({ id: "usr_other", email: "other@example.com" });
  await createUser(api.store, other);
  const losses: readonly Partial<User>[] = [{ role: "member" }, { enabled: false }];
  for (const loss of losses) {
    const draft = { name: "other", userId: other.id };
    const token = await api.newToken(draft);
    const status = async () => (await api.ask("GET", "/keys", { token })).status;
    assertEquals(await status(), 200);
    await updateUser(api.store, other.id, (one) => ({ ...one, spending: "unlimited" }));
    assertEquals(await status(), 200);
    await updateUser(api.store, other.id, (one) => ({ ...one, ...loss }));
    assertEquals(await status(), 401);
    await assertRejects(() => api.newToken(draft), StoreError); // by a request that began before
    const regained = { role: "administrator", enabled: true } as const;
    await updateUser(api.store, other.id, (one) => ({ ...one, ...regained }));
    assertEquals(await status(), 401);
  }
  const names = (await listAdminTokens(api.store)).map(({ name }) => name);
  assertEquals(names.filter((name) => name === "other").length, 0);
});

Deno.test("management: a token is bound to its addresses and its scopes", async () => {
  await using api = await startApi();
  const elsewhere = await api.newToken({ ipAllowList: ["203.0.113.0/24"] });
  const refused = await api.ask("GET", "/keys", { token: elsewhere });
  assertEquals([refused.status, refused.body.error.code], [403, "ip_not_allowed"]);
  const here = await api.newToken({ ipAllowList: ["127.0.0.0/8"] });
  assertEquals((await api.ask("GET", "/keys", { token: here })).status, 200);
  for (
    const [scopes, read, write] of [
      [["keys:read"], 200, 403],
      [["keys:write"], 200, 201],
      [["*:read"], 200, 403],
      [["groups:write"], 403, 403],
      [[], 403, 403],
    ] as const
  ) {
    const token = await api.newToken({ scopes });
    assertEquals((await api.ask("GET", "/keys", { token })).status, read, String(scopes));
    const body = { name: crypto.randomUUID() };
    const written = await api.ask("POST", "/keys", { token, body });
    assertEquals(written.status, write, String(scopes));
    if (write === 403) assertStringIncludes(written.body.error.message, "keys:write");
  }
});

Deno.test("management: a use of a token is noted", async () => {
  await using api = await startApi();
  assertEquals((await listAdminTokens(api.store))[0].lastUsedAtMs, undefined);
  await api.ask("GET", "/keys");
  const [{ lastUsedAtMs = 0 }] = await listAdminTokens(api.store);
  assert(Date.now() - lastUsedAtMs < 10_000);
});

Deno.test("management: an unknown path and a wrong method say what there is", async () => {
  await using api = await startApi();
  const index = await api.ask("GET", "");
  assert(index.body.data.some(({ path }: { path: string }) => path === "/api/v1/keys"));
  const unknown = await api.ask("GET", "/nothing");
  assertEquals([unknown.status, unknown.body.error.code], [404, "unknown_endpoint"]);
  assertStringIncludes(unknown.body.error.message, `${api.base}/v1`);
  const wrong = await api.ask("PUT", "/keys");
  assertEquals([wrong.status, wrong.body.error.code], [405, "method_not_allowed"]);
  assertEquals(wrong.headers.get("allow"), "GET, POST");
});

Deno.test("management: the answer to a client of model calls names its base URL", async () => {
  await using api = await startApi();
  for (const [method, path] of [["POST", "/chat/completions"], ["POST", "/responses"]]) {
    const { status, body } = await api.ask(method, path, { body: {}, token: testKey });
    assertEquals(status, 404);
    assertStringIncludes(body.error.message, `${api.base}/v1`);
  }
  const models = await api.ask("GET", "/models", { token: testKey });
  assert(models.status === 401 || models.status === 404);
  assertStringIncludes(models.body.error.message, `${api.base}/v1`);
});

Deno.test("management: bodies that are large, deep, wrong or not JSON are refused", async () => {
  await using api = await startApi();
  const deep = `{"name":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const wide = JSON.stringify({ name: "x", models: Array.from({ length: 25_000 }, () => ({})) });
  const many = JSON.stringify({ name: "x", models: Array(25_000).fill("m") });
  for (
    const [body, status, code] of [
      [JSON.stringify({ name: "x".repeat(10_000_000) }), 413, "body_too_large"],
      [deep, 413, "body_too_complex"],
      [wide, 413, "body_too_complex"],
      [many, 413, "body_too_complex"],
      ['{"name":"x","name":"y"}', 400, "invalid_request"],
      ["[]", 400, "invalid_request"],
      ["{", 400, "invalid_json"],
    ] as const
  ) {
    const answer = await api.ask("POST", "/keys", { body });
    assertEquals([answer.status, answer.body.error.code], [status, code]);
  }
  const form = { "content-type": "application/x-www-form-urlencoded" };
  assertEquals((await api.ask("POST", "/keys", { body: "name=x", headers: form })).status, 415);
  assertEquals((await listApiKeys(api.store)).length, 1);
});

Deno.test("management: a cursor that this list did not return is refused", async () => {
  await using api = await startApi();
  for (let n = 0; n < 3; n++) await api.ask("POST", "/keys", { body: { name: `k${n}` } });
  const { body: { next_cursor: cursor } } = await api.ask("GET", "/keys?limit=1");
  assertEquals((await api.ask("GET", `/keys?limit=2&cursor=${cursor}`)).status, 200);
  const changed = cursor.slice(0, -2) + (cursor.at(-2) === "A" ? "B" : "A") + cursor.at(-1);
  for (const path of [`cursor=${changed}`, "cursor=abc", `cursor=${cursor}&group=default`]) {
    const { status, body } = await api.ask("GET", `/keys?${path}`);
    assertEquals([status, body.error.param], [400, "cursor"], path);
  }
  for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
    const { status, body } = await api.ask("GET", `/keys?limit=${limit}`);
    assertEquals([status, body.error.param], [400, "limit"], limit);
  }
  for (const query of ["color=red", "limit=1&limit=2"]) {
    assertEquals((await api.ask("GET", `/keys?${query}`)).status, 400, query);
  }
});

Deno.test("management: of two changes with the same ETag, one is refused", async () => {
  await using api = await startApi();
  const { body: { id }, headers } = await api.ask("POST", "/keys", { body: { name: "ci" } });
  const etag = headers.get("etag") ?? "";
  assertMatch(etag, /^(W\/)?"[0-9a-f]{32}"$/);
  assertEquals((await api.ask("GET", `/keys/${id}`)).headers.get("etag"), etag);
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) =>
      api.ask("PATCH", `/keys/${id}`, { body: { name }, headers: { "if-match": etag } })
    ),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [200, 412, 412]);
  const stale = answers.find(({ status }) => status === 412);
  assertEquals(stale?.body.error.code, "object_changed");
  const now = answers.find(({ status }) => status === 200)?.headers.get("etag");
  assertEquals(stale?.headers.get("etag"), now);
  for (const [method, action] of [["DELETE", ""], ["POST", "/rotate"], ["POST", "/disable"]]) {
    const headers = { "if-match": etag };
    assertEquals((await api.ask(method, `/keys/${id}${action}`, { headers })).status, 412);
  }
  const headersNow = { "if-match": `"0", ${now}` };
  assertEquals((await api.ask("DELETE", `/keys/${id}`, { headers: headersNow })).status, 204);
});

Deno.test("management: a use of a key does not change its ETag", async () => {
  await using api = await startApi();
  const { body, headers } = await api.ask("POST", "/keys", { body: { name: "ci" } });
  const authorization = `Bearer ${body.secret}`;
  await (await fetch(`${api.base}/v1/models`, { headers: { authorization } })).body?.cancel();
  const read = await api.ask("GET", `/keys/${body.id}`);
  assertEquals(read.headers.get("etag"), headers.get("etag"));
});

Deno.test("management: a repeated POST with an idempotency key gets the same answer", async () => {
  await using api = await startApi();
  const ask = (body: unknown, key = "one") =>
    api.ask("POST", "/keys", { body, headers: { "idempotency-key": key } });
  const first = await ask({ name: "ci" });
  const second = await ask({ name: "ci" });
  assertEquals([first.status, second.status], [201, 201]);
  assertEquals(second.body, first.body);
  assertEquals(second.headers.get("etag"), first.headers.get("etag"));
  assertEquals(second.headers.get("idempotent-replayed"), "true");
  const other = await ask({ name: "other" });
  assertEquals([other.status, other.body.error.code], [422, "idempotency_key_reused"]);
  assertEquals((await ask({ name: "ci" }, "two")).status, 409); // the name is taken
  assertEquals((await ask({ name: "ci2" }, "two")).status, 201); // a refusal frees its key
  assertEquals((await ask({ name: "x" }, "a".repeat(256))).status, 400);
  const token = await api.newToken();
  const ofOther = await api.ask("POST", "/keys", {
    body: { name: "third" },
    headers: { "idempotency-key": "one" },
    token,
  });
  assertEquals(ofOther.status, 201); // each token has its own
});

Deno.test("management: the same POST sent twenty times at once is done once", async () => {
  await using api = await startApi();
  const headers = { "idempotency-key": "one" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.ask("POST", "/keys", { body: { name: "ci" }, headers })),
  );
  const made = answers.filter(({ status }) => status === 201);
  const ids = new Set(made.map(({ body }) => body.id));
  assertEquals(ids.size, 1);
  for (const { status, body } of answers) {
    assert(status === 201 || body.error.code === "request_in_progress", String(status));
  }
  assertEquals((await listApiKeys(api.store)).length, 2);
});
