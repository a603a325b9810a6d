import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { budgetId } from "../../../lib/store/money/budget.ts";
import { type Budget, getSpent } from "../../../lib/store/money/mod.ts";
import {
  createProject,
  updateOrganization,
  updateTagBudget,
} from "../../../lib/store/projects/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator } from "../../console/people.ts";
import { sampleProject } from "../../store/samples.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

/** Budgets of projects, of the organization and of tags, as callers meet them. */

const calls = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "tessera-echo", messages: [{ role: "user", content: "hi" }] },
  },
  responses: { path: "/v1/responses", body: { model: "tessera-echo", input: "hi" } },
  messages: {
    path: "/v1/messages",
    body: { model: "tessera-echo", max_tokens: 99, messages: [{ role: "user", content: "hi" }] },
  },
  "generate-content": {
    path: "/v1beta/models/tessera-echo:generateContent",
    body: { contents: [{ parts: [{ text: "hi" }] }] },
  },
} as const satisfies Record<FormatName, { path: string; body: unknown }>;

async function call({ base, key }: TestGateway, format: FormatName, tag?: string) {
  const { path, body } = calls[format];
  const response = await fetch(base + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(tag !== undefined && { "tessera-tag": tag }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const cent: readonly Budget[] = [{ period: "total", nanoUsd: 10_000_000n }];

/** The owner's account is in the project research; calls cost a dollar for 10,000 tokens. */
async function priced(prepare: (store: Store) => Promise<void>): Promise<TestGateway> {
  const gateway = await startGateway({
    models: [{ id: "tessera-echo", price: { input: 100, output: 100 } }],
  });
  const { store, directory } = gateway.parts;
  await createUser(store, { ...administrator, projectId: "research" });
  await prepare(store);
  await directory.refresh();
  return gateway;
}

async function untilRefused(gateway: TestGateway, format: FormatName, tag?: string) {
  for (let n = 0; n < 30; n++) {
    const answer = await call(gateway, format, tag);
    if (answer.status !== 200) return answer;
  }
  throw new Error("No call was refused");
}

const budgets = {
  "project research total budget": (store) =>
    createProject(store, sampleProject({ budgets: cent })),
  "organization total budget": async (store) => {
    await createProject(store, sampleProject());
    await updateOrganization(store, () => ({ budgets: cent }));
  },
  "tag team=a total budget": async (store) => {
    await createProject(store, sampleProject());
    await updateTagBudget(store, "team=a", () => ({ budgets: cent }));
  },
} as const satisfies Record<string, (store: Store) => Promise<void>>;

for (const format of formatNames) {
  for (const [name, prepare] of Object.entries(budgets)) {
    Deno.test(`${format}: the ${name} refuses calls, and says where to raise it`, async () => {
      await using gateway = await priced(prepare);
      const { status, text } = await untilRefused(gateway, format, "team=a");
      assertEquals(status, 402);
      assert(text.includes(name), text);
      assert(!/\$0\.01(?!\d)|"remaining"|quotaValue|remains of/.test(text), text);
      assert(text.includes("/console/admin/projects"), text);
      assertEquals((await call(gateway, format)).status, name.startsWith("tag") ? 200 : 402);
    });
  }

  Deno.test(`${format}: a malformed tag is refused in the caller's format`, async () => {
    await using gateway = await startGateway();
    const { status, text } = await call(gateway, format, "team=a,feature");
    assertEquals(status, 400);
    assert(text.includes("Cannot read the header tessera-tag: 'feature' has no value"), text);
    assertEquals((await call(gateway, format, "nightly run")).status, 200);
  });
}

Deno.test("a call's row has its project and tags, and the spent amounts agree", async () => {
  await using gateway = await priced(async (store) => {
    const budgets: Budget[] = [{ period: "total", nanoUsd: 10n ** 12n }];
    await createProject(store, sampleProject({ budgets }));
    await updateTagBudget(store, "team=a", () => ({ budgets }));
  });
  const { store } = gateway.parts;
  for (let n = 0; n < 3; n++) await call(gateway, "messages", "team=a,feature=search");
  const { rows } = await listRequestLogs(store, { projectId: "research", limit: 9 });
  assertEquals(rows.map(({ tags }) => tags), Array(3).fill(["team=a", "feature=search"]));
  const tagged = await listRequestLogs(store, { tag: "feature=search", limit: 9 });
  assertEquals(tagged.rows.length, 3);
  const cost = rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);
  assert(cost > 0n);
  for (const [owner, id] of [["project", "research"], ["tag", "team=a"]] as const) {
    assertEquals(await getSpent(store, budgetId(owner, id, "total")), cost);
  }
});

Deno.test("a project's budget survives the gateway's end, and its audit is clean", async () => {
  const gateway = await priced((store) => createProject(store, sampleProject({ budgets: cent })));
  const { store } = gateway.parts;
  const close = store.close.bind(store);
  store.close = () => {};
  await Promise.all(
    Array.from({ length: 20 }, () => call(gateway, "chat-completions", "team=a,run=7")),
  );
  await gateway[Symbol.asyncDispose]();
  const { ok, differences } = await auditStore(store);
  assert(ok, differences.join("\n"));
  assert(await getSpent(store, budgetId("project", "research", "total")) <= 10_000_000n);
  close();
});
