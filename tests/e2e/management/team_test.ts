import { assertEquals } from "@std/assert";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { type ApiAnswer, startApi, type TestApi } from "../../management/api.ts";
import { startUpstream } from "../fake_upstream.ts";

const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

/** The ids of all objects. */
async function stateOf(api: TestApi): Promise<unknown> {
  const lists = ["/users", "/keys", "/groups", "/upstreams", "/models"];
  return await Promise.all(
    lists.map(async (path) =>
      (await api.ask("GET", path)).body.data.map(({ id }: { id: string }) => id)
    ),
  );
}

/** Asks like a script: every answer must be a success. */
function script(api: TestApi) {
  return async (method: string, path: string, body?: unknown): Promise<ApiAnswer["body"]> => {
    const answer = await api.ask(method, path, { body });
    assertEquals(answer.status < 300, true, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}

async function callModel({ base }: TestApi, secret: string): Promise<number> {
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "acme-large",
      max_completion_tokens: 500,
      messages: [{ role: "user", content: "hello" }],
    }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Sets up a group, an upstream, a price, a project, and a user with funds and a key. */
async function setUp(run: ReturnType<typeof script>, upstream: string) {
  await run("POST", "/groups", { id: "research", models: ["acme-*"], price_ratio: 2 });
  await run("POST", "/upstreams", {
    id: "acme",
    endpoints: { "chat-completions": `${upstream}/v1` },
    credentials: ["sk-acme-0123456789"],
    models: [{ id: "acme-large" }],
    groups: ["research"],
  });
  await run("POST", "/models/acme-large/prices", { price: { input: "1", output: "4" } });
  await run("POST", "/projects", { id: "search", budgets: { month: "20" } });
  const lea = await run("POST", "/users", { email: "lea@example.com", budgets: { month: "10" } });
  await run("POST", "/projects/search/members", { user_id: lea.id });
  await run("POST", `/wallets/${lea.id}/grants`, { amount: "5.00", reason: "Start" });
  const key = await run("POST", "/keys", {
    name: "ci",
    group: "research",
    user_id: lea.id,
    budgets: { day: "0.006" },
  });
  return { lea, key };
}

Deno.test("management: a script sets up a whole team, and takes it down again", async () => {
  await using upstream = startUpstream(() => Response.json(chatAnswer(undefined, { usage })));
  await using api = await startApi();
  const run = script(api);
  const before = await stateOf(api);
  const { lea, key } = await setUp(run, upstream.base);

  assertEquals(await callModel(api, key.secret), 200);
  // (1,000 × $1 + 500 × $4) / 1,000,000 × 2
  assertEquals((await run("GET", `/wallets/${lea.id}`)).balance, "4.994");
  const { data: calls } = await run("GET", "/calls?limit=1");
  assertEquals([calls[0].model, calls[0].cost], ["acme-large", "0.006"]);
  assertEquals(await callModel(api, key.secret), 402, "the key's budget is used up");

  await run("DELETE", `/keys/${key.id}`);
  await run("DELETE", `/projects/search/members/${lea.id}`);
  await run("POST", "/projects/search/archive");
  await run("DELETE", `/users/${lea.id}`);
  await run("DELETE", "/models/acme-large/prices");
  await run("DELETE", "/upstreams/acme");
  await run("DELETE", "/groups/research");
  assertEquals(await stateOf(api), before);
});
