import { assert, assertEquals, assertMatch } from "@std/assert";
import { openPasswordLink, openSession, startSession } from "../../lib/accounts/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { getUser, updateUser } from "../../lib/store/users/mod.ts";
import { administrator, member } from "../console/people.ts";
import { startApi } from "./api.ts";

Deno.test("management: a user is created, changed, disabled and deleted, each with its entry", async () => {
  await using api = await startApi();
  const made = await api.ask("POST", "/users", {
    body: { email: "Lea@Example.com", budgets: { month: "20" }, limits: { concurrency: 4 } },
  });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const { id, email, role, spending, budgets } = made.body;
  assertEquals([email, role, spending], ["lea@example.com", "member", "prepaid"]);
  assertEquals(budgets.month, "20.00");
  assertEquals((await api.ask("GET", `/users/${id}`)).body, made.body);
  const change = { spending: "unlimited", budgets: { month: null, day: "1" } };
  const changed = await api.ask("PATCH", `/users/${id}`, { body: change });
  assertEquals(changed.body.spending, "unlimited");
  assertEquals(changed.body.budgets, {
    day: "1.00",
    week: null,
    month: null,
    total: null,
    session: null,
  });
  assertEquals(changed.body.limits.concurrency, 4);
  const disabled = await api.ask("POST", `/users/${id}/disable`);
  assertEquals([disabled.status, disabled.body.enabled], [200, false]);
  assertEquals((await api.ask("POST", `/users/${id}/enable`)).body.enabled, true);
  const link = await api.ask("POST", `/users/${id}/password-link`);
  assertMatch(link.body.url, new RegExp(`^${api.base}/password/[\\w-]{43}$`));
  const opened = await openPasswordLink(api.store, link.body.url.split("/").at(-1), Date.now());
  assertEquals(opened?.id, id);
  assertEquals((await api.ask("POST", `/users/${id}/sign-out`)).status, 204);
  assertEquals((await api.ask("POST", `/users/${id}/reset-second-step`)).status, 204);
  assertEquals((await api.ask("DELETE", `/users/${id}`)).status, 204);
  assertEquals((await api.ask("GET", `/users/${id}`)).status, 404);
  const { entries } = await listAuditEntries(api.store, { filter: { text: email }, limit: 20 });
  assertEquals(entries.map(({ action }) => action), [
    "deleted",
    "changed",
    "signed-out",
    "changed",
    "enabled",
    "disabled",
    "changed",
    "created",
  ]);
});

Deno.test("management: a user with a taken or wrong address is refused", async () => {
  await using api = await startApi();
  for (const [email, status] of [[member.email, 409], ["nobody", 400], ["", 400]] as const) {
    for (const path of ["/users", "/invitations"]) {
      const answer = await api.ask("POST", path, { body: { email } });
      assertEquals([answer.status, answer.body.error.param], [status, "email"], path + email);
    }
  }
});

Deno.test("management: the first administrator and the token's own user stay", async () => {
  await using api = await startApi();
  const demoted = await api.ask("PATCH", `/users/${administrator.id}`, {
    body: { role: "member" },
  });
  const deleted = await api.ask("DELETE", `/users/${administrator.id}`);
  const disabled = await api.ask("POST", `/users/${administrator.id}/disable`);
  for (const { status, body } of [demoted, deleted, disabled]) {
    assertEquals([status, body.error.code], [409, "object_protected"]);
  }
  assert((await getUser(api.store, administrator.id))?.enabled);
});

Deno.test("management: only a token with every scope makes administrators, or lets in as one", async () => {
  await using api = await startApi();
  const token = await api.newToken({ scopes: ["users:write"] });
  const role = "administrator";
  for (
    const [method, path, body] of [
      ["POST", "/users", { email: "x@example.com", role }],
      ["POST", "/invitations", { email: "y@example.com", role }],
      ["PATCH", `/users/${member.id}`, { role }],
      ["POST", `/users/${administrator.id}/password-link`, undefined],
      ["POST", `/users/${administrator.id}/reset-second-step`, undefined],
    ] as const
  ) {
    const answer = await api.ask(method, path, { token, body });
    assertEquals([answer.status, answer.body.error.code], [403, "scope_missing"], path);
    const allowed = await api.ask(method, path, { body });
    assert(allowed.status < 300, `${path} ${JSON.stringify(allowed.body)}`);
  }
});

Deno.test("management: a token without every scope changes and signs out members alone", async () => {
  await using api = await startApi();
  const token = await api.newToken({ scopes: ["users:write"] });
  const body = { limits: { requests_per_minute: 1 } };
  for (const [{ id }, status] of [[administrator, 403], [member, 200]] as const) {
    assertEquals((await api.ask("PATCH", `/users/${id}`, { body, token })).status, status);
    const signedOut = await api.ask("POST", `/users/${id}/sign-out`, { token });
    assertEquals(signedOut.status, status === 200 ? 204 : status);
  }
  const { body: { data } } = await api.ask("GET", "/users?role=administrator");
  assertEquals(data[0].limits.requests_per_minute, null);
});

Deno.test("management: an invitation opens its page until it is revoked", async () => {
  await using api = await startApi();
  const body = { email: "lea@example.com", spending: "unlimited" };
  const made = await api.ask("POST", "/invitations", { body });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const { id, url } = made.body;
  assertMatch(url, new RegExp(`^${api.base}/invitation/`));
  const { body: { data } } = await api.ask("GET", "/invitations");
  assertEquals(data.map((one: { email: string }) => one.email), ["lea@example.com"]);
  assertEquals((await api.ask("GET", `/invitations/${id}`)).body, data[0]);
  assertEquals((await api.ask("DELETE", `/invitations/${id}`)).status, 204);
  assertEquals((await api.ask("DELETE", `/invitations/${id}`)).status, 404);
  assertEquals((await api.ask("GET", "/invitations")).body.data, []);
});

Deno.test("management: users are found by address and role", async () => {
  await using api = await startApi();
  const found = async (query: string) =>
    (await api.ask("GET", `/users?${query}`)).body.data.map(({ id }: { id: string }) => id);
  assertEquals(await found(`email=${member.email.toUpperCase()}`), [member.id]);
  assertEquals(await found("role=administrator"), [administrator.id]);
  assertEquals((await api.ask("GET", "/users?role=owner")).status, 400);
});

Deno.test("management: a promotion ends the links and sessions that a token without * could make", async () => {
  await using api = await startApi();
  const token = await api.newToken({ scopes: ["users:write"] });
  const made = await api.ask("POST", `/users/${member.id}/password-link`, { token });
  assertEquals(made.status, 201);
  const session = await startSession(api.store, member, { nowMs: Date.now() });
  const body = { role: "administrator" };
  assertEquals((await api.ask("PATCH", `/users/${member.id}`, { body })).status, 200);
  const page = await fetch(made.body.url, {
    method: "POST",
    headers: { origin: api.base },
    body: new URLSearchParams({ password: "correct horse battery" }),
    redirect: "manual",
  });
  await page.body?.cancel();
  assertEquals(page.status, 410);
  assertEquals((await getUser(api.store, member.id))?.passwordHash, undefined);
  const nowMs = Date.now();
  assertEquals(await openSession(api.store, session.token, { nowMs }), undefined);
});

Deno.test("management: links and invitations end with the token that made them", async () => {
  await using api = await startApi();
  const token = await api.newToken({ name: "leaked", scopes: ["users:write"] });
  const invited = { email: "lea@example.com" };
  const urls = [
    (await api.ask("POST", `/users/${member.id}/password-link`, { token })).body.url,
    (await api.ask("POST", "/invitations", { token, body: invited })).body.url,
  ];
  const statuses = async () => {
    const answers = await Promise.all(urls.map((url) => fetch(url)));
    await Promise.all(answers.map((one) => one.body?.cancel()));
    return answers.map(({ status }) => status);
  };
  assertEquals(await statuses(), [200, 200]);
  const { body: { data } } = await api.ask("GET", "/tokens");
  const { id } = data.find(({ name }: { name: string }) => name === "leaked");
  assertEquals((await api.ask("DELETE", `/tokens/${id}`)).status, 204);
  assertEquals(await statuses(), [410, 410]);
});

Deno.test("management: a user who is promoted meanwhile is not changed by a token without *", async () => {
  await using api = await startApi();
  const { kv } = api.store;
  const token = await api.newToken({ scopes: ["users:write"] });
  await api.ask("GET", "/tokens/current", { token }); // notes the use, so that the next commit is the change's
  const atomic = kv.atomic.bind(kv);
  for (const [method, path] of [["POST", "/disable"], ["DELETE", ""]] as const) {
    kv.atomic = () => {
      const operation = atomic();
      const commit = operation.commit.bind(operation);
      operation.commit = async () => {
        kv.atomic = atomic;
        await updateUser(api.store, member.id, (one) => ({ ...one, role: "administrator" }));
        return await commit();
      };
      return operation;
    };
    assertEquals((await api.ask(method, `/users/${member.id}${path}`, { token })).status, 403);
    assertEquals((await getUser(api.store, member.id))?.enabled, true);
    await updateUser(api.store, member.id, (one) => ({ ...one, role: "member" }));
  }
});
