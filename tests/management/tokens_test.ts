import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { administrator } from "../console/people.ts";
import { startApi } from "./api.ts";

Deno.test("management: a token creates another, which works until it is revoked", async () => {
  await using api = await startApi();
  const body = { name: "report", scopes: ["usage:read", "keys:read", "keys:read"] };
  const made = await api.ask("POST", "/tokens", { body });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const { id, secret, secret_hint, scopes, user_id } = made.body;
  assertMatch(secret, /^sk-admin-\w{34}$/);
  assertEquals(secret_hint, `${secret.slice(0, 12)}…${secret.slice(-4)}`);
  assertEquals([scopes, user_id], [["usage:read", "keys:read"], administrator.id]);
  const self = await api.ask("GET", "/tokens/current", { token: secret });
  assertEquals([self.status, self.body.id, "secret" in self.body], [200, id, false]);
  assertEquals((await api.ask("GET", `/tokens/${id}`)).body.name, "report");
  assertEquals((await api.ask("GET", "/tokens")).body.data.length, 2);
  assertEquals((await api.ask("DELETE", `/tokens/${id}`)).status, 204);
  assertEquals((await api.ask("GET", "/tokens/current", { token: secret })).status, 401);
  const { entries } = await listAuditEntries(api.store, { filter: { kind: "token" }, limit: 9 });
  assertEquals(entries.map(({ action }) => action), ["deleted", "created"]);
  assertStringIncludes(JSON.stringify(entries[1].changes), "usage:read");
});

for (
  const [what, maker, asked, status] of [
    ["a scope it has", ["tokens:write", "keys:write"], { scopes: ["keys:read"] }, 201],
    ["itself", ["tokens:write"], { scopes: ["tokens:write"] }, 201],
    ["another scope", ["tokens:write"], { scopes: ["keys:read"] }, 403],
    ["writing for reading", ["tokens:write", "*:read"], { scopes: ["keys:write"] }, 403],
    ["reading everything", ["tokens:write", "keys:read"], { scopes: ["*:read"] }, 403],
    ["everything", ["tokens:write"], { scopes: ["*"] }, 403],
    ["an unknown scope", ["*"], { scopes: ["keys:admin"] }, 400],
    ["no scope", ["*"], { scopes: [] }, 400],
  ] as const
) {
  Deno.test(`management: a token with ${maker.join(" and ")} may give ${what}: ${status}`, async () => {
    await using api = await startApi();
    const token = await api.newToken({ scopes: maker });
    const answer = await api.ask("POST", "/tokens", { token, body: { name: "x", ...asked } });
    assertEquals(answer.status, status, JSON.stringify(answer.body));
  });
}

Deno.test("management: a token gives no later end and no other address than its own", async () => {
  await using api = await startApi();
  const endMs = Date.now() + 3_600_000;
  const token = await api.newToken({ expiresAtMs: endMs, ipAllowList: ["127.0.0.0/8"] });
  const ask = (fields: Record<string, unknown>) =>
    api.ask("POST", "/tokens", { token, body: { name: "x", scopes: ["*"], ...fields } });
  const inherited = (await ask({})).body;
  assertEquals(inherited.expires_at, new Date(endMs).toISOString());
  assertEquals(inherited.ip_allow_list, ["127.0.0.0/8"]);
  assertEquals((await ask({ ip_allow_list: ["127.0.0.1"] })).status, 201);
  for (
    const [fields, param] of [
      [{ expires_at: new Date(endMs + 1).toISOString() }, "expires_at"],
      [{ expires_at: null }, "expires_at"],
      [{ ip_allow_list: ["10.0.0.1"] }, "ip_allow_list"],
      [{ ip_allow_list: ["0.0.0.0/0"] }, "ip_allow_list"],
      [{ ip_allow_list: [] }, "ip_allow_list"],
      [{ ip_allow_list: null }, "ip_allow_list"],
    ] as const
  ) {
    const { status, body } = await ask(fields);
    assertEquals([status, body.error.param], [403, param], JSON.stringify(fields));
  }
});
