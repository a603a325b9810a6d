import { assertEquals } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { getUser } from "../../lib/store/users/mod.ts";
import { administrator, member } from "../console/people.ts";
import { startApi } from "./api.ts";

const none = {
  budgets: { day: null, week: null, month: null, total: null, session: null },
  budget_time_zone: null,
  limits: { requests_per_minute: null, tokens_per_minute: null, concurrency: null },
  requests_per_window: {},
  tokens_per_window: {},
};

Deno.test("management: a project is created, changed, archived and restored, each with its entry", async () => {
  await using api = await startApi();
  const made = await api.ask("POST", "/projects", {
    body: { id: "research", administrators: [member.id], budgets: { month: "20.00" } },
  });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const { created_at, ...body } = made.body;
  assertEquals(typeof created_at, "string");
  assertEquals(body, {
    id: "research",
    models: null,
    administrators: [member.id],
    ...none,
    budgets: { ...none.budgets, month: "20.00" },
    spent_30_days: "0.00",
    archived_at: null,
  });
  const read = await api.ask("GET", "/projects/research");
  assertEquals([read.body, read.headers.get("etag")], [made.body, made.headers.get("etag")]);
  const changed = await api.ask("PATCH", "/projects/research", {
    body: { models: ["gpt-*"], budgets: { month: null, day: "1.50" }, limits: { concurrency: 4 } },
  });
  assertEquals(changed.body.models, ["gpt-*"]);
  assertEquals(changed.body.budgets, { ...none.budgets, day: "1.50" });
  assertEquals(changed.body.administrators, [member.id], "absent fields stay");
  const stale = await api.ask("POST", "/projects/research/archive", {
    headers: { "if-match": made.headers.get("etag") ?? "" },
  });
  assertEquals(stale.status, 412);
  const archived = await api.ask("POST", "/projects/research/archive");
  assertEquals(typeof archived.body.archived_at, "string");
  assertEquals((await api.ask("POST", "/projects/research/restore")).body.archived_at, null);
  const { entries } = await listAuditEntries(api.store, { filter: { kind: "project" }, limit: 9 });
  assertEquals(entries.map(({ action }) => action), [
    "restored",
    "archived",
    "changed",
    "created",
  ]);
});

Deno.test("management: members of a project come and go", async () => {
  await using api = await startApi();
  await api.ask("POST", "/projects", { body: { id: "research" } });
  const path = "/projects/research/members";
  const added = await api.ask("POST", path, { body: { user_id: member.id } });
  assertEquals([added.status, added.body], [201, { user_id: member.id, email: member.email }]);
  assertEquals((await getUser(api.store, member.id))?.projectId, "research");
  assertEquals((await api.ask("GET", path)).body.data, [added.body]);
  assertEquals((await api.ask("DELETE", `${path}/${administrator.id}`)).status, 404);
  assertEquals((await api.ask("DELETE", `${path}/${member.id}`)).status, 204);
  assertEquals((await api.ask("GET", path)).body.data, []);
  const unknown = await api.ask("POST", path, { body: { user_id: "usr_none" } });
  assertEquals([unknown.status, unknown.body.error.param], [400, "user_id"]);
});

Deno.test("management: wrong fields of a project are refused", async () => {
  await using api = await startApi();
  await api.ask("POST", "/projects", { body: { id: "research" } });
  assertEquals((await api.ask("POST", "/projects", { body: { id: "research" } })).status, 409);
  for (
    const [fields, param] of [
      [{ id: "a b" }, "id"],
      [{ id: "tags" }, "id"],
      [{ id: "x", models: ["a b"] }, "models[0]"],
      [{ id: "x", administrators: ["usr_none"] }, "administrators[0]"],
      [{ id: "x", limits: { concurrency: 1e12 } }, "limits.concurrency"],
      [{ id: "x", budgets: { day: "-1" } }, "budgets.day"],
    ] as const
  ) {
    const { status, body } = await api.ask("POST", "/projects", { body: fields });
    assertEquals([status, body.error.param], [400, param], JSON.stringify(fields));
  }
});

Deno.test("management: the organization's and a tag's limits are set and removed", async () => {
  await using api = await startApi();
  assertEquals((await api.ask("GET", "/organization")).body, none);
  const changed = await api.ask("PATCH", "/organization", { body: { budgets: { day: "5.00" } } });
  assertEquals(changed.body.budgets.day, "5.00");
  assertEquals((await api.ask("GET", "/organization")).body, changed.body);
  const path = `/tags/${encodeURIComponent("team=a/b")}`;
  assertEquals((await api.ask("GET", path)).status, 404);
  const draft = { tag: "team=a/b", budgets: { month: "3.00" } };
  const made = await api.ask("POST", "/tags", { body: draft });
  assertEquals([made.status, made.body.tag, made.body.budgets.month], [201, "team=a/b", "3.00"]);
  assertEquals((await api.ask("POST", "/tags", { body: draft })).status, 409);
  const tag = await api.ask("PATCH", path, { body: { budgets: { month: "4.00" } } });
  assertEquals([tag.status, tag.body.budgets.month], [200, "4.00"]);
  assertEquals((await api.ask("GET", "/tags")).body.data, [tag.body]);
  assertEquals((await api.ask("GET", path)).headers.get("etag"), tag.headers.get("etag"));
  assertEquals((await api.ask("DELETE", path)).status, 204);
  assertEquals((await api.ask("GET", "/tags")).body.data, []);
  const malformed = await api.ask("POST", "/tags", { body: { ...draft, tag: "team" } });
  assertEquals([malformed.status, malformed.body.error.param], [400, "tag"]);
  const { entries } = await listAuditEntries(api.store, { limit: 9 });
  assertEquals(entries.map(({ kind }) => kind), ["tag", "tag", "tag", "organization"]);
});

Deno.test("management: reading projects does not permit changing them", async () => {
  await using api = await startApi();
  const token = await api.newToken({ scopes: ["projects:read"] });
  assertEquals((await api.ask("GET", "/projects", { token })).status, 200);
  for (const [method, path] of [["POST", "/projects"], ["PATCH", "/organization"]]) {
    assertEquals((await api.ask(method, path, { token, body: {} })).status, 403);
  }
});

for (
  const [name, path] of [["the organization", "/organization"], ["a tag", "/tags/team%3Da"]]
) {
  Deno.test(`management: of two changes of ${name} at once, no field is lost`, async () => {
    await using api = await startApi();
    await api.ask("POST", "/tags", { body: { tag: "team=a", budgets: { total: "9.00" } } });
    for (let round = 1; round <= 10; round++) {
      const etag = (await api.ask("GET", path)).headers.get("etag") ?? "";
      const amount = `${round}.00`;
      const change = (headers: Record<string, string>) => [
        api.ask("PATCH", path, { headers, body: { budgets: { day: amount } } }),
        api.ask("PATCH", path, { headers, body: { budgets: { week: amount } } }),
      ];
      const checked = await Promise.all(change({ "if-match": etag }));
      assertEquals(checked.map(({ status }) => status).toSorted(), [200, 412], `round ${round}`);
      const free = await Promise.all(change({}));
      assertEquals(free.map(({ status }) => status), [200, 200]);
      const { day, week } = (await api.ask("GET", path)).body.budgets;
      assertEquals([day, week], [amount, amount], `round ${round}`);
    }
  });
}

Deno.test("management: of a change and a removal of a tag with one ETag, one succeeds", async () => {
  await using api = await startApi();
  const path = "/tags/team%3Da";
  for (let round = 1; round <= 10; round++) {
    const body = { tag: "team=a", budgets: { day: "1.00" } };
    const made = await Promise.all([1, 2].map(() => api.ask("POST", "/tags", { body })));
    assertEquals(made.map(({ status }) => status).toSorted(), [201, 409]);
    const headers = { "if-match": (await api.ask("GET", path)).headers.get("etag") ?? "" };
    const answers = await Promise.all([
      api.ask("PATCH", path, { headers, body: { budgets: { day: "2.00" } } }),
      api.ask("DELETE", path, { headers }),
    ]);
    const [changed, removed] = answers.map(({ status }) => status);
    assertEquals(
      [[200, 412], [404, 204]].some((one) => one[0] === changed && one[1] === removed),
      true,
      `${changed} and ${removed}`,
    );
    await api.ask("DELETE", path);
  }
});

Deno.test("management: a list of administrators with a deleted account can be written back", async () => {
  await using api = await startApi();
  const body = { id: "research", administrators: [member.id] };
  await api.ask("POST", "/projects", { body });
  assertEquals((await api.ask("DELETE", `/users/${member.id}`)).status, 204);
  const { administrators } = (await api.ask("GET", "/projects/research")).body;
  const written = await api.ask("PATCH", "/projects/research", { body: { administrators } });
  assertEquals(written.status, 200, JSON.stringify(written.body));
  const unknown = { administrators: [...administrators, "usr_none"] };
  assertEquals((await api.ask("PATCH", "/projects/research", { body: unknown })).status, 400);
});

Deno.test("management: no account joins an archived project", async () => {
  await using api = await startApi();
  await api.ask("POST", "/projects", { body: { id: "research" } });
  await api.ask("POST", "/projects/research/archive");
  const body = { user_id: member.id };
  const refused = await api.ask("POST", "/projects/research/members", { body });
  assertEquals(refused.status, 400, JSON.stringify(refused.body));
  assertEquals((await getUser(api.store, member.id))?.projectId, undefined);
});
