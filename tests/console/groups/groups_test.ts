import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { getApiKey } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import {
  allowsUnpriced,
  createGroup,
  createModel,
  createUpstream,
  deleteUpstream,
  getGroup,
  listGroups,
  updateGroup,
  updateUpstream,
} from "../../../lib/store/catalog/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { callIdAt } from "../calls/call_id.ts";
import { addCall, addKey } from "../records.ts";

const list = "/console/admin/groups";
const form = {
  id: "batch",
  models: "gpt-*\nfast",
  formats: "messages",
  ratio: "1.5",
  unpriced: "allowed",
  budgetDay: "",
  budgetWeek: "",
  budgetMonth: "20",
  budgetTotal: "",
  requestsPerMinute: "",
  tokensPerMinute: "",
  concurrency: "4",
};

async function serve(store: Store, models: readonly string[], groups: readonly string[]) {
  await createUpstream(store, {
    id: `serves-${groups.join("-")}`,
    endpoints: { messages: "https://203.0.114.9" },
    credentials: [],
    models: models.map((id) => ({ id })),
    priority: 0,
    weight: 1,
    groups,
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  });
}

async function entries(store: Store) {
  return (await listAuditEntries(store, { limit: 9 })).entries;
}

const isOpen =
  /<details[^>]* open[^>]*><summary>(?:(?!<\/summary>).)*<\/summary><span [^>]*id="settings"/s;

testConsole("groups: one is added and changed, and both are written down", async (console) => {
  const { store } = console;
  const browser = await console.signedIn(administrator);
  assertRedirect(await browser.post(`${list}/new`, form), `${list}?done=saved`);
  const { budgets, limits, ...made } = await getGroup(store, "batch") ?? {};
  assertEquals(made, {
    id: "batch",
    origin: "console",
    models: ["gpt-*", "fast"],
    formats: ["messages"],
    priceRatio: 1.5,
    allowUnpriced: true,
  });
  assertEquals(budgets, [{ nanoUsd: 20_000_000_000n, period: "month" }]);
  assertEquals(limits, { concurrency: 4 });
  assertStringIncludes(
    textOf((await browser.get(`${list}?done=saved`)).html),
    "batch gpt-*, fast 1.5 Allowed",
  );
  console.clock.nowMs += 1;
  await browser.post(`${list}/batch`, { ...form, id: "other", ratio: "2" });
  assertEquals((await entries(store))[0].changes, [
    { field: "priceRatio", before: "1.5", after: "2" },
  ]);
  assertEquals((await listGroups(store)).map(({ id }) => id), ["batch", "coding", "default"]);
  assertEquals((await browser.get(`${list}/nobody`)).status, 404);
  const again = await browser.post(`${list}/new`, form);
  assertStringIncludes(again.html, "A group with this name already exists.");
});

for (
  const [field, value, fault] of [
    ["id", "a b", "Enter a name of at most 64 letters"],
    ["models", " ", "Enter 1 to 5,000 models"],
    ["formats", "nonsense", "Choose at least one format."],
    ["ratio", "-1", "Enter a number from 0 to 1000"],
    ["ratio", "1001", "Enter a number from 0 to 1000"],
    ["budgetDay", "x", "Enter an amount such as 5 or 0.50, or leave this empty."],
    ["concurrency", "0", "Enter a whole number of at least 1"],
  ] as const
) {
  testConsole(`groups: ${field} ${JSON.stringify(value)} will not do`, async (console) => {
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(`${list}/new`, { ...form, [field]: value });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
    assertEquals((await listGroups(console.store)).length, 2);
    assertEquals(await entries(console.store), []);
  });
}

testConsole("groups: what the configuration declares is read-only and says so", async (console) => {
  const { store } = console;
  const group = { models: ["*"], formats: ["*"], priceRatio: 1, origin: "config" } as const;
  await createGroup(store, { ...group, id: "batch" });
  const browser = await console.signedIn(administrator);
  const page = await browser.get(`${list}/batch`);
  assertStringIncludes(textOf(page.html), "Managed by the config file.");
  assert(!page.html.includes('name="ratio"'));
  assertEquals((await browser.post(`${list}/batch`, form)).status, 404);
  assertEquals(await getGroup(store, "batch"), { ...group, id: "batch" });
  assertEquals(await entries(store), []);
});

testConsole("groups: a page says state, spend and users before its form", async (console) => {
  const { store, directory } = console;
  const browser = await console.signedIn(administrator);
  await browser.post(`${list}/new`, form);
  await directory.refresh();
  const bare = textOf((await browser.get(`${list}/batch`)).html);
  assertStringIncludes(bare, "No upstream Administrators only, prices × 1.5");
  assertStringIncludes(bare, "No keys in this group yet.");
  await serve(store, ["fast"], ["batch"]);
  await addKey(store, { id: "key_1", name: "ci", groupId: "batch" });
  for (const at of [2, 3]) {
    await addKey(store, {
      id: `key_${at}`,
      name: `key-${at}`,
      groupId: "batch",
      accountId: member.id,
    });
  }
  const call = { keyId: "key_1", groupId: "batch", costNanoUsd: 1_500_000_000n };
  await addCall(store, { ...call, ...callIdAt(60_000, 1) });
  await addCall(store, { ...call, ...callIdAt(86_400_000, 2) });
  await addCall(store, { ...call, ...callIdAt(60_000, 3), status: 504, outcome: "timeout" });
  await addCall(store, { ...call, ...callIdAt(60_000, 4), groupId: "default" });
  await directory.refresh();
  const { html } = await browser.get(`${list}/batch`);
  const text = textOf(html);
  for (
    const part of [
      "1 upstream Administrators only, prices × 1.5",
      "Spend, 30 days $4.50",
      "Calls 3",
      "1 failed",
      "Keys 3 of 2 users",
      `${member.email} 2 keys`,
      `${administrator.email} 1 key`,
      "Concurrent requests 4",
    ]
  ) assertStringIncludes(text, part);
  assertStringIncludes(html, "group=batch&amp;status=failed&amp;from=2026-10-23");
  const places = ['class="strip', 'id="cost"', 'id="models"', 'id="settings"', 'name="ratio"']
    .map((one) => html.indexOf(one));
  assertEquals(places, places.toSorted((a, b) => a - b));
  assert(places.every((place) => place > 0));
  assert(!isOpen.test(html), "closed until it is asked for");
  const refused = await browser.post(`${list}/batch`, { ...form, ratio: "x" });
  assertMatch(refused.html, isOpen);
});

testConsole("groups: the matrix shows prices with their ratio, and the holes", async (console) => {
  const { store, directory } = console;
  const browser = await console.signedIn(administrator);
  const unasked = await browser.get(list);
  assert(!unasked.html.includes('id="matrix"'), "only on demand");
  assertStringIncludes(unasked.html, 'href="/console/admin/groups?models=1#matrix"');
  const embedded = textOf((await browser.get(`${list}?models=1`)).html);
  assertStringIncludes(embedded, "tessera-echo $0.00 · $0.00 $0.00 · $0.00");
  const price = { input: 2, output: 8 };
  await createModel(store, { id: "fast", price, createdAtMs: nowMs, origin: "console" });
  await serve(store, ["fast", "house-model"], ["default"]);
  await serve(store, ["fast", "house-model"], ["batch"]);
  await browser.post(`${list}/new`, { ...form, models: "house-model" });
  await directory.refresh();
  const text = textOf((await browser.get(`${list}?models=1`)).html);
  assertStringIncludes(text, "fast Not in group No upstream $2.00 · $8.00");
  assertStringIncludes(text, "house-model No price: free No upstream No price: free");
  await browser.post(`${list}/batch`, { ...form, models: "*" });
  await directory.refresh();
  assertStringIncludes(
    textOf((await browser.get(`${list}?models=1`)).html),
    "fast $3.00 · $12.00 No upstream",
  );
});

testConsole(
  "groups: one that is used names what uses it, and its keys go elsewhere first",
  async (console) => {
    const { store } = console;
    const key = await addKey(store, { id: "key_1", name: "ci", groupId: "coding" });
    await serve(store, ["fast"], ["coding"]);
    const browser = await console.signedIn(administrator);
    const path = `${list}/coding/delete`;
    const held = await browser.get(path);
    assertStringIncludes(textOf(held.html), "coding cannot be deleted yet");
    assertStringIncludes(held.html, 'href="/console/admin/upstreams/serves-coding"');
    assertStringIncludes(textOf(held.html), "ci · owner@example.com");
    assertEquals((await browser.post(path, { group: "default" })).status, 409);
    await deleteUpstream(store, "serves-coding");
    for (const group of ["", "coding", "nobody"]) {
      assertEquals((await browser.post(path, { group })).status, 422);
    }
    assert(await getGroup(store, "coding"));
    assertRedirect(await browser.post(path, { group: "default" }), `${list}?done=deleted`);
    assertEquals(await getGroup(store, "coding"), undefined);
    assertEquals((await getApiKey(store, key.id))?.groupId, "default");
    const told = (await entries(store)).map(({ kind, action, changes }) => ({
      kind,
      action,
      changes,
    }));
    assertEquals(told.toSorted((a, b) => a.kind < b.kind ? -1 : 1), [
      { kind: "group", action: "deleted", changes: [] },
      {
        kind: "key",
        action: "changed",
        changes: [{ field: "group", before: "coding", after: "default" }],
      },
    ]);
    assertStringIncludes(
      textOf((await browser.get(`${list}?done=deleted`)).html),
      "Group deleted.",
    );
  },
);

testConsole(
  "groups: the default, a declared one and one with declared keys stay",
  async (console) => {
    const { store } = console;
    const group = { models: ["*"], formats: ["*"], priceRatio: 1, origin: "config" } as const;
    await createGroup(store, { ...group, id: "declared" });
    await addKey(store, { name: "ci", groupId: "coding", origin: "config" });
    const browser = await console.signedIn(administrator);
    for (const id of ["default", "declared", "nobody"]) {
      assertEquals((await browser.get(`${list}/${id}/delete`)).status, 404);
      assertEquals((await browser.post(`${list}/${id}/delete`, {})).status, 404);
    }
    assertStringIncludes(textOf((await browser.get(`${list}/coding/delete`)).html), "Config file");
    assertEquals((await browser.post(`${list}/coding/delete`, { group: "default" })).status, 409);
    assertEquals((await listGroups(store)).length, 3);
  },
);

testConsole("groups: members put keys in those that are for members", async (console) => {
  const { directory } = console;
  const browser = await console.signedIn(administrator);
  const theirs = await console.signedIn(member);
  const options = async () =>
    [...(await theirs.get("/console/token/new")).html.matchAll(
      /<option[^>]*value="(default|coding|batch)"/g,
    )]
      .map(([, id]) => id);
  await browser.post(`${list}/new`, { ...form, forMembers: "true" });
  await directory.refresh();
  assertEquals(await options(), ["default", "batch"]);
  assertStringIncludes(textOf((await browser.get(list)).html), "Allowed All members 0 0 0");
});

testConsole("groups: a model that a group names and nobody serves is a hole", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post(`${list}/new`, { ...form, models: "gpt-99" });
  await console.directory.refresh();
  const text = textOf((await browser.get(`${list}?models=1`)).html);
  assertStringIncludes(text, "gpt-99 No upstream No upstream No upstream");
});

testConsole(
  "groups: saving the default group leaves models without a price as they were",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    const page = await browser.get(`${list}/default`);
    const [, shown = ""] =
      /<option[^>]* value="(default|allowed|refused)" selected/.exec(page.html) ??
        [];
    assertEquals(shown, "default");
    assertStringIncludes(textOf(page.html), "Default: allowed without budget");
    await browser.post(`${list}/default`, { ...form, unpriced: shown, models: "*", ratio: "2" });
    const saved = await getGroup(store, "default");
    assert(saved);
    assertEquals([saved.priceRatio, saved.allowUnpriced], [2, undefined]);
    assert(allowsUnpriced(saved, false));
  },
);

for (
  const [allowUnpriced, word] of [
    [undefined, "Allowed without budget"],
    [true, "Allowed"],
    [false, "Refused"],
  ] as const
) {
  testConsole(
    `groups: a default group with allowUnpriced ${allowUnpriced} reads ${word}`,
    async (console) => {
      await updateGroup(console.store, "default", (group) => ({ ...group, allowUnpriced }));
      await console.directory.refresh();
      const browser = await console.signedIn(administrator);
      assertStringIncludes(textOf((await browser.get(list)).html), `1 ${word} All members`);
    },
  );
}

const formsOfMoney = [
  "/console/token/new",
  "/console/admin/groups/default",
  `/console/admin/users/${member.id}`,
  "/console/admin/users/invite",
];
for (const path of formsOfMoney) {
  testConsole(`groups: ${path} names the models that a budget would refuse`, async (console) => {
    const { store, directory } = console;
    const browser = await console.signedIn(administrator);
    const names = ["house-a", "house-b", "house-c", "house-d", "house-e"];
    await serve(store, names, ["*"]);
    await directory.refresh();
    const warning =
      "With a budget or prepaid balance, the group named default refuses models without a price: house-a, house-b, house-c and 2 more.";
    assertStringIncludes(textOf((await browser.get(path)).html), warning);
    await updateGroup(store, "default", (group) => ({ ...group, allowUnpriced: true }));
    await directory.refresh();
    assert(!textOf((await browser.get(path)).html).includes("without a price in the group"));
  });
}

testConsole(
  "groups: the form of another group does not warn of the models of the group default",
  async (console) => {
    const { store, directory } = console;
    const browser = await console.signedIn(administrator);
    await serve(store, ["house-a"], ["*"]);
    await directory.refresh();
    for (const [path, warns] of [[`${list}/default`, true], [`${list}/new`, false]] as const) {
      const { html } = await browser.get(path);
      assertEquals(
        textOf(html).includes("group named default refuses models without a price"),
        warns,
        path,
      );
    }
  },
);

testConsole(
  "groups: an upstream that serves all groups counts for each of them",
  async (console) => {
    const { store, directory } = console;
    await serve(store, ["fast"], ["all"]);
    await updateUpstream(store, "serves-all", (upstream) => ({ ...upstream, groups: ["*"] }));
    await serve(store, ["fast"], ["coding"]);
    await directory.refresh();
    const text = textOf((await (await console.signedIn(administrator)).get(list)).html);
    assertStringIncludes(text, "Refused Administrators only 0 0 2 default");
    assertStringIncludes(text, "Allowed without budget All members 0 0 1");
  },
);
