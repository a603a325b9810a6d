import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  issueApiKey,
  issueInvitation,
  issuePasswordLink,
  moveAccount,
  roles,
} from "../../../lib/accounts/mod.ts";
import { sessionId } from "../../../lib/admin/users.ts";
import { readQuery } from "../../../lib/console/page/define_list.ts";
import { readUserList, userList } from "../../../lib/console/users/user_list.ts";
import { grantFunds } from "../../../lib/funds/mod.ts";
import { listApiKeys, noteApiKeyUse } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { balanceOf, postEntry } from "../../../lib/store/money/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import {
  createUser,
  getUser,
  getUserByEmail,
  listInvitations,
  listSessions,
} from "../../../lib/store/users/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import {
  assertRedirect,
  servicesUnderTest,
  testConsole,
  textOf,
  undoFrom,
  withRowsMax,
} from "../console.ts";
import { administrator, member, nowMs, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const path = `/console/admin/users/${member.id}`;
const unchanged = {
  role: "member",
  spending: "prepaid",
  budgetDay: "",
  budgetWeek: "",
  budgetMonth: "",
  budgetTotal: "",
  requestsPerMinute: "",
  tokensPerMinute: "",
  concurrency: "",
};

async function lastEntry(store: Store) {
  return (await listAuditEntries(store, { limit: 1 })).entries[0];
}

testConsole("users: the list shows what each has and spends, and is searched", async (console) => {
  const { store } = console;
  const grant = { administrator, accountId: member.id, reason: "welcome", idempotencyKey: "1" };
  await grantFunds(store, { ...grant, changeNanoUsd: 21_000_000_000n }, nowMs);
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get("/console/admin/users")).html);
  assertStringIncludes(text, "2 users");
  assertStringIncludes(
    text,
    "member@example.com Enabled Member None 0 $21.00 0 $0.00 Never",
  );
  assertStringIncludes(
    text,
    "owner@example.com Enabled Administrator None 0 Unlimited 0 $0.00 Never",
  );
  const found = textOf((await browser.get("/console/admin/users?q=MEMBER&role=member")).html);
  assert(found.includes("1 of 2 users ") && !found.includes("owner@example.com Enabled"));
  const none = textOf((await browser.get("/console/admin/users?q=nobody")).html);
  assertStringIncludes(none, "No users match");
  assertEquals((await browser.get("/console/admin/users?page=0&q=%00&role=x")).status, 200);
  assertEquals((await browser.get("/console/admin/users/usr_nobody")).status, 404);
});

testConsole("users: the list shows and filters projects and roles", async (console) => {
  const { store } = console;
  const billing = user({ id: "usr_pay", email: "pay@example.com", role: "billing" });
  await createUser(store, billing);
  const browser = await console.signedIn(administrator);
  assert(!(await browser.get("/console/admin/users")).html.includes('name="project"'));
  await createProject(store, sampleProject());
  await moveAccount(store, member.id, "research");
  await console.directory.refresh();
  const found = async (query: string) => {
    const text = textOf((await browser.get(`/console/admin/users?${query}`)).html);
    return ["owner@", "member@", "pay@"].filter((one) =>
      text.includes(`${one}example.com Enabled`)
    );
  };
  assertEquals(await found("project=research"), ["member@"]);
  assertEquals(await found("project=-"), ["owner@", "pay@"]);
  assertEquals(await found("role=billing"), ["pay@"]);
  const { html } = await browser.get("/console/admin/users");
  assertStringIncludes(html, '<a href="/console/admin/projects/research"');
});

testConsole(
  "users: role, spending, budgets and limits are changed and written down",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    const form = {
      ...unchanged,
      role: "administrator",
      spending: "unlimited",
      budgetMonth: "12.50",
      requestsPerMinute: "60",
    };
    assertRedirect(await browser.post(path, form), `${path}?done=saved`);
    const saved = await getUser(store, member.id);
    assertEquals([saved?.role, saved?.spending], ["administrator", "unlimited"]);
    assertEquals(saved?.budgets, [{ nanoUsd: 12_500_000_000n, period: "month" }]);
    assertEquals(saved?.limits, { requestsPerMinute: 60 });
    const page = await browser.get(`${path}?done=saved`);
    assertStringIncludes(textOf(page.html), "Changes saved.");
    assertStringIncludes(page.html, 'value="12.5"');
    const { kind, action, changes } = await lastEntry(store);
    assertEquals([kind, action], ["user", "changed"]);
    assertEquals(changes, [
      { field: "role", before: "member", after: "administrator" },
      { field: "spending", before: "prepaid", after: "unlimited" },
      { field: "budgetMonth", after: "$12.5" },
      { field: "requestsPerMinute", after: "60" },
    ]);
    assertRedirect(await browser.post(path, form), `${path}?done=unchanged`);
    assertRedirect(await browser.post(path, unchanged), `${path}?done=saved`);
    const back = await getUser(store, member.id);
    assertEquals([back?.budgets, back?.limits, back?.role], [undefined, undefined, "member"]);
  },
);

testConsole("users: what will not do comes back marked, and nothing is saved", async (console) => {
  const browser = await console.signedIn(administrator);
  const form = { ...unchanged, budgetDay: '"><b>x', concurrency: "0", role: "king" };
  const answer = await browser.post(path, form);
  assertEquals(answer.status, 422);
  assertStringIncludes(answer.html, "Enter a whole number of at least 1");
  assertStringIncludes(answer.html, "Enter an amount such as 5 or 0.50, or leave this empty.");
  assertEquals(answer.html.match(/aria-invalid="true"/g)?.length, 3);
  assert(!answer.html.includes("<b>x"));
  assertEquals((await getUser(console.store, member.id))?.role, "member");
  assertEquals(await lastEntry(console.store), undefined);
});

testConsole("users: nobody can lock the first administrator out, nor oneself", async (console) => {
  const { store } = console;
  const owner = "/console/admin/users/owner";
  const browser = await console.signedIn(administrator);
  const demoted = { ...unchanged, spending: "unlimited" };
  assertEquals((await browser.post(owner, demoted)).status, 422);
  assertEquals((await browser.post(`${owner}/enabled`, { enabled: "false" })).status, 404);
  assertEquals((await browser.get(`${owner}/enabled`)).status, 404);
  await browser.post(path, { ...unchanged, role: "administrator" });
  const other = await console.signedIn(await getUser(store, member.id) ?? member);
  assertEquals((await other.post(`${owner}/enabled`, { enabled: "false" })).status, 404);
  assertEquals((await other.post(owner, demoted)).status, 422);
  assertEquals((await other.post(path, unchanged)).status, 422);
  assertEquals((await other.post(`${path}/enabled`, { enabled: "false" })).status, 404);
  const [first, second] = await Promise.all([getUser(store, "owner"), getUser(store, member.id)]);
  assertEquals([first?.role, first?.enabled], ["administrator", true]);
  assertEquals([second?.role, second?.enabled], ["administrator", true]);
});

testConsole("users: a promotion ends the user's sessions and password link", async (console) => {
  const { store } = console;
  const made = { user: member, createdBy: administrator.id };
  const link = `/password/${await issuePasswordLink(store, made, nowMs)}`;
  const [own, browser] = [await console.signedIn(member), await console.signedIn(administrator)];
  assertEquals((await own.get("/console/account")).status, 200);
  assertEquals((await own.get(link)).status, 200);
  await browser.post(path, { ...unchanged, role: "administrator" });
  assertRedirect(await own.get("/console/account"), "/login?next=%2Fconsole%2Faccount");
  assertEquals((await own.get(link)).status, 410);
  assertEquals((await browser.get("/console/account")).status, 200);
});

testConsole(
  "users: one is disabled after a question, signed out, and enabled again",
  async (console) => {
    const { store } = console;
    const theirs = await console.signedIn(member);
    const browser = await console.signedIn(administrator);
    const question = await browser.get(`${path}/enabled`);
    assertStringIncludes(textOf(question.html), "Disable member@example.com?");
    const answer = await browser.post(`${path}/enabled`, { enabled: "false" });
    assertRedirect(answer, `${path}?done=disabled`);
    assertEquals((await lastEntry(store)).action, "disabled");
    assertEquals((await theirs.get("/console")).status, 303);
    assertStringIncludes(textOf((await browser.get(path)).html), "Enable user");
    await browser.post(`${path}/enabled`, { enabled: "true" });
    assertEquals((await getUser(store, member.id))?.enabled, true);
    assertEquals((await theirs.get("/console")).status, 303);
  },
);

testConsole(
  "users: one is signed out everywhere; who does it to oneself stays here",
  async (console) => {
    const theirs = await console.signedIn(member);
    const browser = await console.signedIn(administrator);
    await console.signedIn(administrator);
    assertRedirect(await browser.post(`${path}/sessions`, {}), `${path}?done=signed-out`);
    assertEquals((await theirs.get("/console")).status, 303);
    await browser.post("/console/admin/users/owner/sessions", {});
    assertEquals((await listSessions(console.store, "owner")).length, 1);
    assertEquals((await browser.get("/console")).status, 200);
  },
);

testConsole(
  "users: one session is ended, the others and the reader's own stay",
  async (console) => {
    const [ended, kept] = [await console.signedIn(member), await console.signedIn(member)];
    const browser = await console.signedIn(administrator);
    const sessions = await listSessions(console.store, member.id);
    const { html } = await browser.get(path);
    const [first, second] = [...html.matchAll(/name="session" value="(\w+)"/g)].map(([, id]) => id);
    assertEquals(new Set([first, second]), new Set(sessions.map(sessionId)));
    assertRedirect(
      await browser.post(`${path}/sessions`, { session: first }),
      `${path}?done=session-ended`,
    );
    const statuses = await Promise.all(
      [ended, kept].map(async (one) => (await one.get("/console")).status),
    );
    assertEquals(statuses.sort(), [200, 303]);
    const own = (await listSessions(console.store, administrator.id)).map(sessionId);
    await browser.post(`/console/admin/users/${administrator.id}/sessions`, { session: own[0] });
    assertEquals((await browser.get(path)).status, 200);
  },
);

testConsole(
  "users: an administrator creates a key for a user, a member only own ones",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    assertStringIncludes(
      (await browser.get(path)).html,
      `href="/console/token/new?user=${member.id}"`,
    );
    const form = { name: "from above", group: "coding", expiry: "never" };
    const address = `/console/token/new?user=${member.id}`;
    const { html } = await browser.get(address);
    assertStringIncludes(textOf(html), `Create API key for ${member.email}`);
    const made = await browser.post(address, form);
    const shown = await browser.get(made.headers.get("location") ?? "");
    assertMatch(shown.html, /sk-[\w-]{20,}/);
    const keysOf = async (accountId: string) =>
      (await listApiKeys(store, { accountId })).map(({ name }) => name);
    assertEquals(await keysOf(member.id), ["from above"]);
    const theirs = await console.signedIn(member);
    const own = { ...form, name: "mine", group: "default" };
    await theirs.post(`/console/token/new?user=${administrator.id}`, own);
    assertEquals(await keysOf(administrator.id), []);
    assertEquals((await keysOf(member.id)).sort(), ["from above", "mine"]);
    assertEquals((await browser.get("/console/token/new?user=nobody")).status, 404);
  },
);

testConsole("users: a balance is changed once for each form, with a reason", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  const form = { kind: "grant", amount: "12.50", reason: "workshop", intent: "one" };
  assertRedirect(await browser.post(`${path}/funds`, form), `${path}?done=funds`);
  assertRedirect(await browser.post(`${path}/funds`, form), `${path}?done=funds`);
  assertEquals(await balanceOf(store, member.id), 12_500_000_000n);
  await browser.post(`${path}/funds`, { ...form, kind: "take", amount: "2", intent: "two" });
  assertEquals(await balanceOf(store, member.id), 10_500_000_000n);
  const { entries } = await listAuditEntries(store, { limit: 9 });
  assertEquals(
    entries.map(({ action, changes, reason }) => `${action} ${changes[0].after} ${reason}`)
      .toSorted(),
    ["adjusted -$2 workshop", "granted +$12.5 workshop"],
  );
  const much = await browser.post(`${path}/funds`, { ...form, kind: "take", amount: "99" });
  assertEquals(much.status, 422);
  assertStringIncludes(much.html, "The amount exceeds the balance.");
  const wrong = await browser.post(`${path}/funds`, { kind: "grant", amount: "x", reason: "y" });
  assertStringIncludes(wrong.html, "Enter an amount such as 5 or 0.50, at most 1,000,000.");
  const silent = await browser.post(`${path}/funds`, { kind: "grant", amount: "1", reason: " " });
  assertStringIncludes(silent.html, "Enter a reason of at most 500 characters.");
  assertEquals(await balanceOf(store, member.id), 10_500_000_000n);
});

testConsole(
  "users: an invitation is shown once, works once, and makes an account",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    const wrong = await browser.post("/console/admin/users/invite", { email: "nobody" });
    assertEquals(wrong.status, 422);
    const taken = await browser.post("/console/admin/users/invite", { email: member.email });
    assertStringIncludes(taken.html, "This e-mail address already has an account.");
    const form = { email: " Lea@Example.com", role: "member", spending: "unlimited" };
    const { headers } = await browser.post("/console/admin/users/invite", form);
    const once = headers.get("location") ?? "";
    const other = await console.signedIn(administrator);
    assertStringIncludes(textOf((await other.get(once)).html), "The link was already shown");
    const made = await browser.get(once);
    assertStringIncludes(textOf((await browser.get(once)).html), "The link was already shown");
    const link = made.html.match(/http:\/\/localhost(\/invitation\/[\w-]{43})/)?.[1] ?? "";
    assertMatch(link, /^\/invitation\//);
    assert(!JSON.stringify(await lastEntry(store)).includes(link.slice(12)));

    console.clock.nowMs += 1;
    const visitor = console.browser();
    assertStringIncludes((await visitor.get(link)).html, "lea@example.com");
    assertEquals((await visitor.post(link, { password: "short" })).status, 422);
    assertRedirect(await visitor.post(link, { password: "five unrelated words" }), "/console");
    const lea = await getUserByEmail(store, "lea@example.com");
    assertEquals([lea?.role, lea?.spending, lea?.enabled], ["member", "unlimited", true]);
    assertEquals((await lastEntry(store)).action, "joined");
    assertEquals((await visitor.get("/console/admin/users")).status, 403);
    assertEquals((await visitor.get(link)).status, 410);
    assertEquals((await visitor.post(link, { password: "five unrelated words" })).status, 410);
  },
);

testConsole("users: an invitation has the role that was chosen", async (console) => {
  const browser = await console.signedIn(administrator);
  for (const role of roles) {
    const form = { email: `${role}@example.net`, role, spending: "unlimited" };
    await browser.post("/console/admin/users/invite", form);
  }
  const invited = (await listInvitations(console.store))
    .map(({ email, role }) => [email, role] as const);
  assertEquals(
    new Map(invited),
    new Map(roles.map((role) => [`${role}@example.net`, role] as const)),
  );
});

testConsole(
  "users: an invitation ends after a week, and a made-up one is none",
  async (console) => {
    const browser = await console.signedIn(administrator);
    const form = { email: "lea@example.com", empty: "yes" };
    const { headers } = await browser.post("/console/admin/users/invite", form);
    const made = await browser.get(headers.get("location") ?? "");
    const link = made.html.match(/\/invitation\/[\w-]{43}/)?.[0] ?? "";
    console.clock.nowMs += 7 * 86_400_000;
    assertEquals((await console.browser().get(link)).status, 410);
    assertEquals((await console.browser().get("/invitation/nonsense")).status, 410);
    const gone = await console.browser().post("/invitation/nonsense", { password: "x".repeat(20) });
    assertEquals(gone.status, 410);
  },
);

testConsole("users: an invitation has the role that the form names", async (console) => {
  const browser = await console.signedIn(administrator);
  for (const role of ["administrator", "billing", "viewer", "member"]) {
    const email = `new-${role}@example.com`;
    const form = { email, role, spending: "unlimited" };
    assertEquals((await browser.post("/console/admin/users/invite", form)).status, 303);
    const invitations = await listInvitations(console.store);
    assertEquals(invitations.find((one) => one.email === email)?.role, role);
  }
});

testConsole("users: the list is filtered, ordered and paged by its address", async (console) => {
  const { store } = console;
  const names = Array.from({ length: 52 }, (_, n) => `user${String(n).padStart(2, "0")}`);
  for (const [n, name] of names.entries()) {
    const parts = { id: `usr_${name}`, email: `${name}@example.com`, createdAtMs: nowMs + n };
    await createUser(store, user({ ...parts, role: "member", enabled: n !== 7 }));
  }
  await addKey(store, { accountId: "usr_user03", groupId: "coding" });
  await addCall(store, { id: "req_1", accountId: "usr_user05" });
  await compactRows(store);
  await postEntry(store, {
    atMs: nowMs,
    accountId: "usr_user09",
    type: "grant",
    changeNanoUsd: 7_000_000_000n,
    reason: "x",
    actor: "owner",
    idempotencyKey: "x",
  });
  const browser = await console.signedIn(administrator);
  const shown = async (query: string) =>
    [...(await browser.get(`/console/admin/users?${query}`)).html
      .matchAll(/href="\/console\/admin\/users\/usr_(user\d\d)"/g)].map(([, name]) => name);
  assertEquals(await shown("status=disabled"), ["user07"]);
  assertEquals(await shown("group=coding"), ["user03"]);
  assertEquals((await shown("sort=balance"))[0], "user09");
  assertEquals((await shown("sort=calls"))[0], "user05");
  assertEquals(await shown("sort=email&q=user1"), names.slice(10, 20));
  assertEquals([(await shown("")).length, await shown("page=2")], [48, names.slice(48)]);
  const { html } = await browser.get(
    "/console/admin/users?sort=balance&role=member&status=enabled",
  );
  assertStringIncludes(html, 'aria-sort="descending"');
  assertStringIncludes(html, "role=member&amp;status=enabled&amp;sort=spent");
  assertEquals((await browser.get("/console/admin/users?sort='&page=0&status=x")).status, 200);
});

testConsole(
  "users: an order by figures reads those of the latest users and says so",
  async ({ store }) => {
    for (const n of [1, 2, 3, 4]) {
      await createUser(store, {
        ...user({ id: `usr_${n}`, email: `user${n}@example.com` }),
        createdAtMs: nowMs + n,
      });
    }
    withRowsMax(2);
    const services = servicesUnderTest();
    const read = (address: string) =>
      readUserList({ services, nowMs }, readQuery(userList, new URLSearchParams(address)), 3);
    const ordered = await read("sort=balance&page=2");
    assertEquals([ordered.rows.length, ordered.found, ordered.compared, ordered.hasMore], [
      1,
      6,
      3,
      false,
    ]);
    assertEquals((await read("sort=created&page=2")).hasMore, true);
    assertEquals((await read("sort=created&page=2")).compared, undefined);
    assertEquals((await read("sort=spent&q=user1")).compared, undefined);
  },
);

testConsole(
  "users: one is deleted once the address was typed; the history stays",
  async (console) => {
    const { store, directory } = console;
    const { apiKey, secret } = await issueApiKey(store, {
      accountId: member.id,
      name: "ci",
      groupId: "default",
      enabled: true,
    }, { nowMs });
    await postEntry(store, {
      atMs: nowMs,
      accountId: member.id,
      type: "grant",
      changeNanoUsd: 3_000_000_000n,
      reason: "x",
      actor: "owner",
      idempotencyKey: "x",
    });
    await addCall(store, { id: "req_THEIRS", accountId: member.id });
    const theirs = await console.signedIn(member);
    const browser = await console.signedIn(administrator);
    assertEquals((await directory.findKey(secret))?.enabled, true);
    const asked = textOf((await browser.get(`${path}/delete`)).html);
    assertStringIncludes(asked, "key stops working");
    assertStringIncludes(asked, "The balance of $3.00 is forfeited");
    const mistyped = await browser.post(`${path}/delete`, { email: "member@example" });
    assertEquals(mistyped.status, 422);
    assert(await getUser(store, member.id));
    const done = await browser.post(`${path}/delete`, { email: " Member@Example.com" });
    assertRedirect(done, "/console/admin/users?done=deleted");
    assertEquals(await getUser(store, member.id), undefined);
    assertEquals(await directory.findKey(secret), undefined);
    assertEquals(await listApiKeys(store, { accountId: member.id }), []);
    assertRedirect(await theirs.get("/console"), "/login?next=%2Fconsole");
    assertEquals((await lastEntry(store)).action, "deleted");
    assertEquals(await balanceOf(store, member.id), 3_000_000_000n);
    const log = (await browser.get("/console/log?who=everyone")).html;
    assertStringIncludes(log, "req_THEIRS");
    assert(!JSON.stringify(await lastEntry(store)).includes(apiKey.digest));
    assertEquals((await browser.get(`${path}/delete`)).status, 404);
    assertEquals((await browser.get("/console/admin/users/owner/delete")).status, 404);
    const first = await browser.post("/console/admin/users/owner/delete", {
      email: administrator.email,
    });
    assertEquals(first.status, 404);
  },
);

testConsole(
  "users: when one was last seen stays known once the session has ended",
  async (console) => {
    const theirs = await console.signedIn(member);
    await theirs.post("/logout", {});
    console.clock.nowMs += 3 * 3_600_000;
    const { html } = await (await console.signedIn(administrator)).get(path);
    assertStringIncludes(textOf(html), "3 hours ago");
  },
);

testConsole("users: the list says when each called last, and orders by it", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", accountId: member.id });
  await noteApiKeyUse(store, new Map([["key_1", nowMs - 120_000]]));
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/admin/users?sort=called");
  const text = textOf(html);
  assertStringIncludes(
    text,
    "member@example.com Enabled Member None 1 $0.00 0 $0.00 2 minutes ago",
  );
  assert(text.indexOf("member@example.com Enabled") < text.indexOf("owner@example.com Enabled"));
});

testConsole("users: open invitations are listed, and one is revoked", async (console) => {
  const { store } = console;
  const draft = { role: "member", spending: "prepaid" } as const;
  for (const email of ["lea@example.com", "noah@example.com"]) {
    await issueInvitation(store, administrator, { ...draft, email }, { nowMs });
  }
  const [first] = (await listInvitations(store)).filter(({ email }) => email.startsWith("lea"));
  const browser = await console.signedIn(administrator);
  const list = textOf((await browser.get("/console/admin/users")).html);
  assertStringIncludes(list, "2 open invitations");
  const form = { invitation: first.digest };
  assertRedirect(
    await browser.post("/console/admin/users/invitations", form),
    "/console/admin/users?done=revoked",
  );
  assertEquals((await browser.post("/console/admin/users/invitations", form)).status, 404);
  assertEquals((await listInvitations(store)).map(({ email }) => email), ["noah@example.com"]);
  console.clock.nowMs += 8 * 86_400_000;
  assert(!(await browser.get("/console/admin/users")).html.includes("noah@example.com"));
});

testConsole("users: the export has exact amounts and the list's filters", async (console) => {
  const { store } = console;
  const grant = { administrator, accountId: member.id, reason: "x", idempotencyKey: "1" };
  await grantFunds(store, { ...grant, changeNanoUsd: 1_234_567_891n }, nowMs);
  const browser = await console.signedIn(administrator);
  const { html, headers } = await browser.get("/console/admin/users/export?role=member");
  const lines = html.trim().split("\r\n");
  assertEquals(lines.length, 2);
  assertStringIncludes(lines[1], "usr_member,member@example.com,member,true,prepaid");
  assertStringIncludes(lines[1], ",1.234567891,");
  assertStringIncludes(headers.get("content-disposition") ?? "", "users-2026-11-21.csv");
});

testConsole("users: disabling one can be undone from the next page, once", async (console) => {
  const browser = await console.signedIn(administrator);
  const path = `/console/admin/users/${member.id}`;
  const sent = `${path}?done=disabled`;
  assertRedirect(await browser.post(`${path}/enabled`, { enabled: "false" }), sent);
  const page = await browser.get(sent);
  assertEquals(await undoFrom(await browser.get(sent), browser), undefined, "not on reload");
  const undone = await undoFrom(page, browser);
  assertEquals(undone?.headers.get("location"), `${path}?done=enabled`);
  assertEquals((await getUser(console.store, member.id))?.enabled, true);
  for (const id of [member.id, administrator.id]) {
    const page = await browser.get(`/console/admin/users/${id}?done=disabled`);
    assertEquals(await undoFrom(page, browser), undefined, id);
  }
});
