import { assert, assertEquals } from "@std/assert";
import { permits, roles } from "../../lib/accounts/mod.ts";
import { operations } from "../../lib/management/mod.ts";
import { createUser, updateUser } from "../../lib/store/users/mod.ts";
import { billing, viewer } from "../console/session/role_scene.ts";
import { startApi } from "./api.ts";

/** The changes of billing, as the OpenAPI names them. */
const billingChanges: ReadonlySet<string> = new Set([
  "POST /codes",
  "POST /codes/{id}/enable",
  "POST /codes/{id}/disable",
  "POST /codes/{id}/codes/{code}/enable",
  "POST /codes/{id}/codes/{code}/disable",
  "POST /wallets/{user_id}/grants",
  "POST /wallets/{user_id}/adjustments",
  "POST /models/{id}/prices",
  "DELETE /models/{id}/prices",
  "DELETE /models/{id}/prices/{from}",
  "POST /prices/refresh",
  "POST /prices/takes",
  "POST /prices/takes/{id}/undo",
]);
/** Operations that read with a POST. */
const trials: ReadonlySet<string> = new Set([
  "POST /models/{id}/rerate",
  "POST /prices/proposals/try",
]);
const hiddenFromBilling =
  /^\/(recordings|calls\/\{id\}\/content|keys(?!\/\{id\}\/sessions)|upstreams|settings|webhooks|audit|tokens(?!\/current))/;

function isExpected(role: "billing" | "viewer", method: string, path: string): boolean {
  const name = `${method} ${path}`;
  const reads = method === "GET" || trials.has(name);
  if (role === "viewer") return reads && !path.includes("recording") && !path.endsWith("/content");
  return reads ? !hiddenFromBilling.test(path) : billingChanges.has(name);
}

Deno.test("management: each operation is for the roles that the table says, whatever the token", async () => {
  await using api = await startApi();
  for (const one of [billing, viewer]) await createUser(api.store, one);
  assertEquals([...billingChanges, ...trials].filter((name) => !isKnown(name)), []);
  const wrong: string[] = [];
  for (const one of [billing, viewer]) {
    const token = await api.newToken({ userId: one.id, scopes: ["*"] });
    for (const { method, path, scope, body } of operations) {
      const answer = await api.ask(method, path.replace(/\{\w+\}/g, "none"), {
        token,
        ...(body && { body: {} }),
      });
      const isRefused = answer.status === 403 && answer.body.error.code === "scope_missing";
      const role = one.role as "billing" | "viewer"; // the two of the loop
      const given = scope === undefined || isExpected(role, method, path);
      if (isRefused === given) wrong.push(`${role}: ${method} ${path} ${answer.status}`);
      assertEquals(scope === undefined || permits(role, scope), given, `${method} ${path}`);
    }
  }
  assertEquals(wrong, []);
});

function isKnown(name: string): boolean {
  return operations.some(({ method, path }) => `${method} ${path}` === name);
}

Deno.test("management: a token ends with its owner's role, and members have none", async () => {
  await using api = await startApi();
  await createUser(api.store, billing);
  for (const role of ["viewer", "administrator", "billing", "member"] as const) {
    const token = await api.newToken({ userId: billing.id, scopes: ["wallets:read"] });
    assertEquals((await api.ask("GET", "/wallets", { token })).status, 200);
    const changed = await api.ask("PATCH", `/users/${billing.id}`, { body: { role } });
    assertEquals([changed.status, changed.body.role], [200, role]);
    assertEquals((await api.ask("GET", "/wallets", { token })).status, 401, role);
  }
  const { body: { data } } = await api.ask("GET", "/audit?kind=token&action=deleted");
  assertEquals(data[0].reason, "The owner's access ended");
  await updateUser(api.store, billing.id, (one) => ({ ...one, role: "viewer" }));
  const token = await api.newToken({ userId: billing.id });
  await api.ask("POST", `/users/${billing.id}/disable`);
  assertEquals((await api.ask("GET", "/wallets", { token })).status, 401);
});

Deno.test("management: only a token with every right gives and invites to roles beyond member", async () => {
  await using api = await startApi();
  const narrow = await api.newToken({ scopes: ["users:write"] });
  for (const role of roles) {
    const expected = role === "member" ? 201 : 403;
    for (const path of ["/users", "/invitations"]) {
      const body = { email: `${role}${path.length}@example.com`, role };
      const { status } = await api.ask("POST", path, { body, token: narrow });
      assertEquals(status, expected, `${path} ${role}`);
      const full = await api.ask("POST", path, { body: { ...body, email: `x${body.email}` } });
      assertEquals([full.status, full.body.role], [201, role]);
    }
  }
  const first = await api.ask("PATCH", "/users/owner", { body: { role: "viewer" } });
  assertEquals(first.body.error.code, "object_protected");
  const { body: { data } } = await api.ask("GET", "/users?role=billing");
  assert(data.length === 1 && data[0].role === "billing");
});
