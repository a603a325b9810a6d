import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { moveAccount } from "../../../lib/accounts/mod.ts";
import { getApiKey } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import {
  createProject,
  getOrganization,
  getProject,
  getTagBudget,
  listProjects,
} from "../../../lib/store/projects/mod.ts";
import { createUser, getUser } from "../../../lib/store/users/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const list = "/console/admin/projects";
const form = { id: "vision", models: "gpt-*", administrators: member.email, budgetMonth: "20" };

async function newest(store: Store) {
  return (await listAuditEntries(store, { limit: 1 })).entries[0];
}

testConsole("projects: one is created and changed, and both are written down", async (console) => {
  const { store } = console;
  await console.signedIn(member);
  const browser = await console.signedIn(administrator);
  assertRedirect(await browser.post(`${list}/new`, form), `${list}/vision?done=created`);
  const made = await getProject(store, "vision");
  assertEquals(made?.budgets, [{ nanoUsd: 20_000_000_000n, period: "month" }]);
  assertEquals([made?.models, made?.administrators], [["gpt-*"], [member.id]]);
  console.clock.nowMs += 1;
  await browser.post(`${list}/vision`, { ...form, id: "other", budgetMonth: "5" });
  assertEquals((await newest(store)).changes, [
    { field: "budgetMonth", before: "$20", after: "$5" },
  ]);
  assertEquals((await listProjects(store)).map(({ id }) => id), ["vision"]);
  assertStringIncludes(textOf((await browser.get(list)).html), "vision Active 0 0 $0.00");
  const again = await browser.post(`${list}/new`, form);
  assertStringIncludes(again.html, "A project with this name already exists.");
  assertEquals((await browser.get(`${list}/nobody`)).status, 404);
});

for (
  const [field, value, fault] of [
    ["id", "a b", "Enter a name of at most 64 letters"],
    ["id", "tags", "Enter a name of at most 64 letters"],
    ["models", "m".repeat(201), "Enter at most 5,000 models"],
    ["administrators", "nobody@example.com", "Enter e-mail addresses of existing accounts"],
    ["budgetDay", "x", "Enter an amount such as 5 or 0.50, or leave this empty."],
    ["concurrency", "0", "Enter a whole number of at least 1"],
  ] as const
) {
  testConsole(`projects: ${field} ${value.slice(0, 20)} will not do`, async (console) => {
    await console.signedIn(member);
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(`${list}/new`, { ...form, [field]: value });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
    assertEquals(await listProjects(console.store), []);
  });
}

testConsole(
  "projects: a deleted administrator does not keep the form from being saved",
  async (console) => {
    const { store } = console;
    await createProject(store, sampleProject({ administrators: ["usr_gone", administrator.id] }));
    const browser = await console.signedIn(administrator);
    const page = await browser.get(`${list}/research`);
    assert(!page.html.includes("usr_gone"));
    const saved = await browser.post(`${list}/research`, { administrators: administrator.email });
    assertRedirect(saved, `${list}/research?done=saved`);
    assertEquals((await getProject(store, "research"))?.administrators, [administrator.id]);
  },
);

testConsole("projects: members come and go, and spending stays", async (console) => {
  const { store } = console;
  await console.signedIn(member);
  await createProject(store, sampleProject());
  const browser = await console.signedIn(administrator);
  const path = `${list}/research`;
  const added = await browser.post(`${path}/members`, { email: member.email.toUpperCase() });
  assertRedirect(added, `${path}?done=added`);
  assertEquals((await getUser(store, member.id))?.projectId, "research");
  assertEquals((await newest(store)).changes, [{ field: "project", after: "research" }]);
  await addCall(store, {
    id: "req_01KAJ9V3M8WZ5X7Q2C4N6B8D0F",
    accountId: member.id,
    projectId: "research",
    costNanoUsd: 3_000_000_000n,
  });
  await browser.get("/console/log?who=everyone"); // compacts
  assertStringIncludes(textOf((await browser.get(path)).html), "$3.00");
  await browser.post(`${path}/members`, { remove: member.id });
  assertEquals((await getUser(store, member.id))?.projectId, undefined);
  const page = textOf((await browser.get(path)).html);
  assertStringIncludes(page, "$3.00");
  assertStringIncludes(page, "No members yet");
  const unknown = await browser.post(`${path}/members`, { email: "x@example.com" });
  assertRedirect(unknown, `${path}?unknown=x%40example.com`);
  assertStringIncludes(
    (await browser.get(`${path}?unknown=x%40example.com`)).html,
    "No account has this e-mail address.",
  );
});

testConsole("projects: archiving asks first, and can be undone", async (console) => {
  const { store, clock } = console;
  await createProject(store, sampleProject());
  const browser = await console.signedIn(administrator);
  const path = `${list}/research`;
  assertStringIncludes((await browser.get(`${path}/archived`)).html, "Archive research?");
  assertRedirect(
    await browser.post(`${path}/archived`, { archived: "true" }),
    `${path}?done=archived`,
  );
  assertEquals((await getProject(store, "research"))?.archivedAtMs, clock.nowMs);
  await browser.post(`${path}/archived`, { archived: "false" });
  assertEquals(await getProject(store, "research"), sampleProject());
});

testConsole(
  "projects: the organization's and a tag's budgets are set and removed",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    await browser.post(`${list}/organization`, { budgetDay: "5", concurrency: "9" });
    assertEquals(await getOrganization(store), {
      budgets: [{ nanoUsd: 5_000_000_000n, period: "day" }],
      limits: { concurrency: 9 },
    });
    await browser.post(`${list}/organization`, {});
    assertEquals(await getOrganization(store), undefined);
    await browser.post(`${list}/tags`, { tag: "team=a", budgetDay: "5" });
    assertEquals((await getTagBudget(store, "team=a"))?.budgets?.length, 1);
    assertStringIncludes(textOf((await browser.get(`${list}/tags`)).html), "daily $0.00 of $5.00");
    const malformed = await browser.post(`${list}/tags`, { tag: "team", budgetDay: "5" });
    assertStringIncludes(malformed.html, "Enter a tag such as team=a.");
    await browser.post(`${list}/tags`, { tag: "team=a" });
    assertEquals(await getTagBudget(store, "team=a"), undefined);
  },
);

const other = user({ id: "usr_other", email: "other@example.com", role: "member" });

/** `member` administers research, in which `other` is; key_other is the key of `other`. */
async function teams(console: TestConsole) {
  const { store, directory } = console;
  const browser = await console.signedIn(member);
  await createUser(store, other);
  await createProject(store, sampleProject({ administrators: [member.id] }));
  await createProject(store, sampleProject({ id: "secret" }));
  await moveAccount(store, other.id, "research");
  await addKey(store, { id: "key_other", name: "theirs", accountId: other.id });
  await directory.refresh();
  return browser;
}

testConsole(
  "a project's administrator sees its members and keys, and manages them",
  async (console) => {
    const { store } = console;
    const browser = await teams(console);
    assertStringIncludes((await browser.get("/console")).html, "/console/projects");
    const page = textOf((await browser.get("/console/projects/research")).html);
    assertStringIncludes(page, other.email.split("@")[0]);
    const keys = textOf((await browser.get("/console/projects/research?show=keys")).html);
    assertStringIncludes(keys, "theirs");
    const disabled = await browser.post("/console/projects/research/keys", {
      key: "key_other",
      enabled: "false",
    });
    assertRedirect(disabled, "/console/projects/research?done=disabled");
    assertEquals((await getApiKey(store, "key_other"))?.enabled, false);
    const member = `/console/projects/research/member?account=${other.id}`;
    assertEquals((await browser.get(member)).status, 200);
    await browser.post(member, { budgetDay: "2" });
    assertEquals((await getUser(store, other.id))?.budgets, [
      { nanoUsd: 2_000_000_000n, period: "day" },
    ]);
  },
);

testConsole(
  "a project's administrator sees failures without a link to the log",
  async (console) => {
    const browser = await teams(console);
    const failed = { projectId: "research", status: 504, outcome: "timeout" } as const;
    await addCall(console.store, { id: "req_01KAJ9V3M8WZ5X7Q2C4N6B8D0F", ...failed });
    await (await console.signedIn(administrator)).get("/console/log?who=everyone"); // compacts
    const { html } = await browser.get("/console/projects/research");
    assertStringIncludes(textOf(html), "1 failed");
    assert(!html.includes("<a>"), "no link without an address");
  },
);

testConsole("a project's administrator reaches nothing else", async (console) => {
  const { store } = console;
  const browser = await teams(console);
  await addKey(store, { id: "key_owner", name: "root" });
  for (
    const path of [
      "/console/projects/secret",
      "/console/projects/secret/member?account=usr_other",
      `/console/projects/research/member?account=${member.id}`,
      "/console/projects/research/member?account=owner",
    ]
  ) assertEquals((await browser.get(path)).status, 404, path);
  for (const path of [list, `${list}/research`]) {
    assertEquals((await browser.get(path)).status, 403, path);
  }
  const disable = (project: string, key: string) =>
    browser.post(`/console/projects/${project}/keys`, { key, enabled: "false" });
  for (const [project, key] of [["research", "key_owner"], ["secret", "key_other"]]) {
    assertEquals((await disable(project, key)).status, 404, `${project} ${key}`);
    assertEquals((await getApiKey(store, key))?.enabled, true);
  }
  await moveAccount(store, administrator.id, "research");
  assertEquals((await disable("research", "key_owner")).status, 404, "an administrator's key");
});

testConsole("an archived project is nobody's but the administrators'", async (console) => {
  const browser = await teams(console);
  const admin = await console.signedIn(administrator);
  await admin.post(`${list}/research/archived`, { archived: "true" });
  await console.directory.refresh();
  assertEquals((await browser.get("/console/projects/research")).status, 404);
  assert(!(await browser.get("/console")).html.includes("/console/projects"));
});
