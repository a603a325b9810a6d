import { assertEquals, assertStringIncludes } from "@std/assert";
import { administrator, member } from "../console/people.ts";
import { listAdminTokens } from "../../lib/store/admin_tokens/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { createUser, updateUser } from "../../lib/store/users/mod.ts";
import { startApi, type TestApi } from "./api.ts";

const second = {
  ...administrator,
  id: "usr_second",
  email: "second@example.com",
  spending: "prepaid",
} as const;

async function works(api: TestApi, token: string): Promise<boolean> {
  return (await api.ask("GET", "/tokens/current", { token })).status === 200;
}

async function endedTokens(api: TestApi): Promise<string[]> {
  const { entries } = await listAuditEntries(api.store, { filter: { kind: "token" }, limit: 100 });
  return entries.filter(({ action }) => action === "deleted").map(({ targetName }) => targetName);
}

for (
  const [what, end, again] of [
    ["disabling", ["POST", "/disable"], ["POST", "/enable"]],
    ["demotion", ["PATCH", "", { role: "member" }], ["PATCH", "", { role: "administrator" }]],
  ] as const
) {
  Deno.test(`management: the tokens of an administrator end with ${what}, permanently`, async () => {
    await using api = await startApi();
    await createUser(api.store, second);
    const tokens = [
      await api.newToken({ name: "one", userId: second.id }),
      await api.newToken({ name: "two", userId: second.id }),
    ];
    for (const [method, path, body] of [end, again]) {
      const { status } = await api.ask(method, `/users/${second.id}${path}`, { body });
      assertEquals(status, 200);
    }
    assertEquals(await Promise.all(tokens.map((one) => works(api, one))), [false, false]);
    assertEquals((await endedTokens(api)).sort(), ["one", "two"]);
    assertEquals((await listAdminTokens(api.store)).length, 1);
  });
}

Deno.test("management: the tokens of a deleted administrator end with an audit entry", async () => {
  await using api = await startApi();
  await createUser(api.store, second);
  await api.newToken({ name: "one", userId: second.id });
  assertEquals((await api.ask("DELETE", `/users/${second.id}`)).status, 204);
  assertEquals(await endedTokens(api), ["one"]);
});

Deno.test("management: other changes of an administrator leave the tokens", async () => {
  await using api = await startApi();
  await updateUser(api.store, administrator.id, (user) => ({ ...user, email: "x@example.com" }));
  assertEquals(await works(api, api.secret), true);
});

Deno.test("management: a revoked token takes those it created along, and theirs", async () => {
  await using api = await startApi();
  const make = async (name: string, token: string) => {
    const { body } = await api.ask("POST", "/tokens", { token, body: { name, scopes: ["*"] } });
    return body;
  };
  const parent = await make("parent", api.secret);
  const child = await make("child", parent.secret);
  const grandchild = await make("grandchild", child.secret);
  const other = await make("other", api.secret);
  assertEquals([child.parent_id, grandchild.parent_id], [parent.id, child.id]);
  assertEquals((await api.ask("DELETE", `/tokens/${parent.id}`)).status, 204);
  const all = [parent, child, grandchild, other];
  const live = await Promise.all(all.map(({ secret }) => works(api, secret)));
  assertEquals(live, [false, false, false, true]);
  assertEquals((await endedTokens(api)).sort(), ["child", "grandchild", "parent"]);
});

Deno.test("management: no token outlives its maker if both change at once", async () => {
  await using api = await startApi();
  for (let round = 0; round < 10; round++) {
    const { body: parent } = await api.ask("POST", "/tokens", {
      body: { name: "parent", scopes: ["*"] },
    });
    const body = { name: "child", scopes: ["*"] };
    await Promise.all([
      ...Array.from(
        { length: 5 },
        () => api.ask("POST", "/tokens", { token: parent.secret, body }),
      ),
      api.ask("DELETE", `/tokens/${parent.id}`),
    ]);
    assertEquals((await listAdminTokens(api.store)).map(({ name }) => name), ["test"]);
  }
});

Deno.test("management: an administrator has at most 100 tokens, also of many made at once", async () => {
  await using api = await startApi();
  const make = () => api.ask("POST", "/tokens", { body: { name: "x", scopes: ["*"] } });
  for (let made = 0; made < 95; made += 5) await Promise.all(Array.from({ length: 5 }, make));
  const answers = await Promise.all(Array.from({ length: 8 }, make));
  const refused = answers.filter(({ status }) => status === 400);
  assertEquals([answers.length - refused.length, refused.length], [4, 4]);
  assertStringIncludes(refused[0].body.error.message, "100");
  assertEquals((await listAdminTokens(api.store)).length, 100);
});

for (
  const [scopes, of, status] of [
    [["tokens:write"], ["tokens:write"], 204],
    [["tokens:write", "keys:write"], ["keys:read"], 204],
    [["tokens:write"], ["keys:read"], 403],
    [["tokens:write"], ["*"], 403],
    [["*"], ["*"], 204],
  ] as const
) {
  Deno.test(`management: a token with ${scopes} revokes one with ${of}: ${status}`, async () => {
    await using api = await startApi();
    const token = await api.newToken({ scopes });
    await api.newToken({ name: "aim", scopes: of });
    const aim = (await listAdminTokens(api.store)).find(({ name }) => name === "aim");
    assertEquals((await api.ask("DELETE", `/tokens/${aim?.id}`, { token })).status, status);
  });
}

for (
  const [method, path, body] of [
    ["PATCH", "", { spending: "prepaid" }],
    ["PATCH", "", { budgets: { total: "0.01" } }],
    ["PATCH", "", { limits: { requests_per_minute: 1 } }],
    ["POST", "/sign-out", undefined],
  ] as const
) {
  Deno.test(`management: users:write does not ${method} ${path}${JSON.stringify(body)} of an administrator`, async () => {
    await using api = await startApi();
    await createUser(api.store, second);
    const token = await api.newToken({ scopes: ["users:write"] });
    for (const { id } of [administrator, second]) {
      const { status, body: answer } = await api.ask(method, `/users/${id}${path}`, {
        token,
        body,
      });
      assertEquals([status, answer?.error.code], [403, "scope_missing"]);
    }
    assertEquals(
      (await api.ask(method, `/users/${member.id}${path}`, { token, body })).status < 300,
      true,
    );
    assertEquals(
      (await api.ask(method, `/users/${second.id}${path}`, { body })).status < 300,
      true,
    );
  });
}
