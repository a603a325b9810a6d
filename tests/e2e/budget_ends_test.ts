import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
} from "../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import type { Budget } from "../../lib/store/money/mod.ts";
import {
  createProject,
  updateOrganization,
  updateTagBudget,
} from "../../lib/store/projects/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { verdictOf } from "../../lib/verdict/mod.ts";
import { administrator } from "../console/people.ts";
import { codeIn } from "../formats/error_code.ts";
import { sampleProject } from "../store/samples.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { makeWallet, walletKey } from "./money/wallet.ts";
import { openSocket } from "./sockets/session.ts";

/** The end of every budget, as the clients of every format read it. */

const publicUrl = "https://gateway.example.com";
const usd = 0.01; // a call costs about a third of it
const cent = (period: Budget["period"]): Budget[] => [{ period, nanoUsd: 10_000_000n }];

interface End {
  readonly key?: object;
  readonly group?: object;
  readonly prepare?: (store: Store) => Promise<unknown>;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
  /** The time at which it ends; absent if time does not help. */
  readonly resets?: RegExp;
  readonly title?: string;
}

const atMidnight = /resets on [A-Z][a-z]{2} \d+ at 00:00 UTC, in \d+ (second|minute|hour|day)s/;
const inTime = /has room for it on [A-Z][a-z]{2} \d+ at \d\d:\d\d UTC, in \d+ (minute|hour|day)s/;
const owner = (fields: object = {}) => (store: Store) =>
  createUser(store, { ...administrator, ...fields });
const inProject = owner({ projectId: "research" });
const session = { "tessera-session": "run-1" };

const ends: Record<string, End> = {
  "key daily budget": { key: { budget: { usd, period: "day" } }, resets: atMidnight },
  "key rolling 5-hour budget": { key: { budget: { usd, period: "5h" } }, resets: inTime },
  "key total budget": { key: { budget: { usd, period: "total" } } },
  "group team weekly budget": { group: { budget: { usd, period: "week" } }, resets: atMidnight },
  "account monthly budget": { prepare: owner({ budgets: cent("month") }), resets: atMidnight },
  "project research daily budget": {
    prepare: async (store) => {
      await inProject(store);
      await createProject(store, sampleProject({ budgets: cent("day") }));
    },
    resets: atMidnight,
  },
  "organization rolling 7-day budget": {
    prepare: (store) => updateOrganization(store, () => ({ budgets: cent("7d") })),
    resets: inTime,
  },
  "tag team=a daily budget": {
    prepare: (store) => updateTagBudget(store, "team=a", () => ({ budgets: cent("day") })),
    headers: { "tessera-tag": "team=a" },
    resets: atMidnight,
  },
  "session run-1 budget": { key: { budget: { usd, period: "session" } }, headers: session },
  "session run-1 budget of a header": {
    headers: { ...session, "tessera-session-budget": "0.01" },
    title: "session run-1 budget",
  },
  "account balance": {
    prepare: (store) => makeWallet(store, 10_000_000n),
    secret: walletKey,
  },
};

const question = [{ role: "user", content: "hi" }];
const model = "tessera-echo";
const calls: Record<FormatName, { readonly path: string; readonly body: object }> = {
  "chat-completions": { path: "/v1/chat/completions", body: { model, messages: question } },
  responses: { path: "/v1/responses", body: { model, input: "hi" } },
  messages: { path: "/v1/messages", body: { model, max_tokens: 99, messages: question } },
  "generate-content": {
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ parts: [{ text: "hi" }] }] },
  },
};

/** An answer as a client reads it. */
interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly error: JsonObject;
}

interface Asking {
  readonly secret: string;
  readonly headers: Record<string, string>;
}

async function call(base: string, format: FormatName, streams: boolean, asking: Asking) {
  const { path, body } = calls[format];
  const isGenerate = format === "generate-content";
  const verb = isGenerate && streams
    ? path.replace(":generateContent", ":streamGenerateContent?alt=sse")
    : path;
  const response = await fetch(base + verb, {
    method: "POST",
    headers: { authorization: `Bearer ${asking.secret}`, ...asking.headers },
    body: JSON.stringify({ ...body, ...(streams && !isGenerate && { stream: true }) }),
  });
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers: Object.fromEntries(headers), error: status === 200 ? {} : read(text) };
}

function read(text: string): JsonObject {
  const { error } = JSON.parse(text);
  assert(isJsonObject(error), text);
  return error;
}

async function untilRefused(ask: () => Promise<Answer>): Promise<Answer> {
  for (let n = 0; n < 30; n++) {
    const answer = await ask();
    if (answer.status !== 200) return answer;
  }
  throw new Error("No call was refused");
}

function assertSaid({ error: { message } }: Pick<Answer, "error">, name: string): void {
  const { title = name, resets } = ends[name];
  const said = String(message);
  assert(said.includes(title), said);
  if (resets) assertMatch(said, resets);
  else assert(!/ (resets|room for it) /.test(said), said);
  assertMatch(said, / Not charged\. Usage: https:\/\/gateway\.example\.com\/console\/token\/\w+$/);
  assert(!/credit balance/i.test(said), said);
}

const billing: Record<FormatName, string> = {
  "chat-completions": "insufficient_quota",
  responses: "insufficient_quota",
  messages: "billing_error",
  "generate-content": "insufficient_quota",
};

for (
  const [name, { key = {}, group = {}, prepare, secret, headers = {} }] of Object.entries(ends)
) {
  const value = "sk-ends-0123456789abcdefghij";
  const asking = { secret: secret ?? value, headers };
  const start = async () => {
    const gateway = await startGateway({
      publicUrl,
      groups: [{ id: "team", ...group }],
      keys: [{ name: "k", group: "team", value, ...key }],
      models: [{ id: model, price: { input: 100, output: 100 } }],
    });
    await prepare?.(gateway.parts.store);
    await gateway.parts.directory.refresh();
    return gateway;
  };

  Deno.test(`${name}: its end is a 402 that no client retries, in every format`, async () => {
    await using gateway = await start();
    for (const format of formatNames) {
      for (const streams of [false, true]) {
        const refused = await untilRefused(() => call(gateway.base, format, streams, asking));
        assertEquals([refused.status, refused.headers["x-should-retry"]], [402, "false"]);
        assert(Number(refused.headers["retry-after"] ?? 0) <= 60); // Codex sleeps through it
        const { error } = refused;
        const code = codeIn(format, error, refused.status);
        assertEquals([code, error.type], ["insufficient_quota", billing[format]]);
        assertSaid(refused, name);
        assertRefuser(error, name);
      }
    }
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    const { owner, id } = verdictOf(row)?.refuser ?? {};
    assertRefuser({ refused_by: { owner, id, url: publicUrl } }, name);
    assertSaid(await refusedOnSocket(gateway, asking), name);
    await assertShownByGemini(gateway, asking, name);
  });
}

const ids = {
  group: "team",
  project: "research",
  organization: "all",
  tag: "team=a",
  session: "run-1",
};

/** The error names the owner of the budget, with its page. */
function assertRefuser({ refused_by: by }: { readonly refused_by?: unknown }, name: string): void {
  assert(isJsonObject(by), name);
  const [word] = name.split(" ");
  assertEquals(by.owner, name === "account balance" ? "wallet" : word);
  if (Object.hasOwn(ids, word)) assertEquals(by.id, ids[word as keyof typeof ids]);
  assert(String(by.url).startsWith(publicUrl), String(by.url));
}

async function refusedOnSocket(gateway: TestGateway, { secret, headers }: Asking) {
  using client = await openSocket(gateway, secret, { headers });
  client.send({ type: "response.create", ...calls.responses.body });
  const frame = await client.seen(({ type }) => type === "error");
  assert(isJsonObject(frame.error) && isJsonObject(frame.headers));
  assertEquals([frame.status, frame.headers["x-should-retry"]], [402, "false"]);
  return { error: frame.error };
}

/** Gemini CLI shows the message of a rate limit with a long wait only. */
async function assertShownByGemini({ base }: TestGateway, asking: Asking, name: string) {
  const headers = { ...asking.headers, "user-agent": "GeminiCLI-tui/0.61.0/m (linux; x64)" };
  for (const streams of [false, true]) {
    const refused = await call(base, "generate-content", streams, { ...asking, headers });
    assertEquals([refused.status, refused.headers["retry-after"]], [429, undefined]);
    assertEquals(refused.error.status, "RESOURCE_EXHAUSTED");
    assertSaid(refused, name);
    const details = JSON.stringify(refused.error.details);
    assert(!/Daily|PerDay/.test(details), details);
    const [, seconds] = /"retryDelay":"(\d+)s"/.exec(details) ?? [];
    assert(Number(seconds) >= 600, details);
  }
}
