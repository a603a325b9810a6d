import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { playgroundKeyId } from "../../../lib/accounts/mod.ts";
import { auditStore } from "../../../lib/audit/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { getBalance } from "../../../lib/store/money/mod.ts";
import { createUser, updateUser } from "../../../lib/store/users/mod.ts";
import { type TestBrowser, textOf } from "../console.ts";
import { administrator, member, user } from "../people.ts";
import { fund, openPlayground, type PlaygroundConsole } from "./playground_console.ts";

const model = "tessera-echo";

function playgroundTest(
  name: string,
  test: (console: PlaygroundConsole) => Promise<void>,
  config?: Record<string, unknown>,
): void {
  Deno.test({
    name: `console: playground: ${name}`,
    sanitizeOps: false, // the worker that checks passwords outlives the test that starts it
    sanitizeResources: false,
    fn: async () => {
      await using console = await openPlayground(config);
      await test(console);
    },
  });
}

interface Asked {
  readonly group?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A call as the page's script makes it. */
async function ask(
  { fetch }: PlaygroundConsole,
  browser: TestBrowser,
  { group = "default", path = "/v1/chat/completions", headers, body }: Asked = {},
): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const query = new URLSearchParams({ path, group });
  return await fetch(
    new Request(`http://localhost/console/playground/call?${query}`, {
      method: "POST",
      headers: {
        cookie,
        accept: "application/json",
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
        ...headers,
      },
      body: JSON.stringify(body ?? { model, messages: [{ role: "user", content: "hello" }] }),
    }),
  );
}

playgroundTest(
  "a call is paid by who is signed in, logged, and found in the receipt",
  async (console) => {
    const browser = await console.signedIn(member);
    await fund(console.store);
    const response = await ask(console, browser);
    assertEquals(response.status, 200);
    assertStringIncludes(await response.text(), "hello");
    const requestId = response.headers.get("x-request-id");
    const { rows } = await listRequestLogs(console.store, { accountId: member.id, limit: 5 });
    assertEquals(rows.map(({ id, keyId, keyName }) => [id, keyId, keyName]), [
      [requestId, playgroundKeyId(member.id), "Playground"],
    ]);
    const { balanceNanoUsd } = await getBalance(console.store, member.id);
    assertEquals(balanceNanoUsd, 1_000_000_000n - (rows[0].costNanoUsd ?? 0n));
    assert(balanceNanoUsd < 1_000_000_000n);
    const receipt = await browser.get(`/console/playground/receipt?id=${requestId}`);
    assertMatch(receipt.html, /9 in, 4 out/);
    assertMatch(textOf((await browser.get(`/console/log/${requestId}`)).html), /Playground/);
    assertMatch(textOf((await browser.get("/console/topup")).html), /Playground/);
    assertEquals(await listApiKeys(console.store, { accountId: member.id }), []);
    const audit = await auditStore(console.store);
    assertEquals([audit.ok, audit.differences], [true, []]);
  },
);

playgroundTest("a member cannot use a group of others, nor see their receipts", async (console) => {
  const [owner, browser] = [await console.signedIn(administrator), await console.signedIn(member)];
  await fund(console.store);
  const mine = await ask(console, owner, { group: "coding" });
  assertEquals(mine.status, 200);
  await mine.body?.cancel();
  const id = mine.headers.get("x-request-id");
  assertEquals((await browser.get(`/console/playground/receipt?id=${id}`)).status, 404);
  for (const group of ["coding", "", "gone"]) {
    const refused = await ask(console, browser, { group });
    assertEquals([refused.status, await refused.json()], [403, { status: 403 }], group);
  }
  const { rows } = await listRequestLogs(console.store, { accountId: member.id, limit: 5 });
  assertEquals(rows, []);
}, { groups: ["default", "coding"].map((id) => ({ id, models: ["*"] })) });

playgroundTest(
  "a disabled account, an expired session and another site are refused",
  async (console) => {
    const browser = await console.signedIn(member);
    await fund(console.store);
    const foreign = await ask(console, browser, {
      headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    });
    assertEquals(foreign.status, 403);
    const form = await ask(console, browser, { headers: { "content-type": "text/plain" } });
    assertEquals(form.status, 415);
    await updateUser(console.store, member.id, (user) => ({ ...user, enabled: false }));
    assertEquals((await ask(console, browser)).status, 401);
    browser.cookies.clear();
    assertEquals((await ask(console, browser)).status, 401);
    const { rows } = await listRequestLogs(console.store, { accountId: member.id, limit: 5 });
    assertEquals(rows, []);
  },
);

const refusals: readonly {
  readonly name: string;
  readonly asked: Asked;
  readonly refused: readonly [number, string];
}[] = [
  { name: "an empty wallet", asked: {}, refused: [402, "insufficient_quota"] },
  {
    name: "a path that is not an inference endpoint",
    asked: { path: "/v1/models" },
    refused: [404, "unknown_endpoint"],
  },
  {
    name: "a page of the console",
    asked: { path: "/console/token/new" },
    refused: [404, "unknown_endpoint"],
  },
  {
    name: "another host",
    asked: { path: "//evil.example/v1/chat/completions" },
    refused: [402, "insufficient_quota"],
  },
  {
    name: "a model that nobody serves",
    asked: { body: { model: "gone", messages: [{ role: "user", content: "hello" }] } },
    refused: [404, "model_not_found"],
  },
];
for (const { name, asked, refused } of refusals) {
  playgroundTest(`the gateway's own refusal of ${name} comes through`, async (console) => {
    const response = await ask(console, await console.signedIn(member), asked);
    const { code, reason = code } = (await response.json()).error; // a status is no reason
    assertEquals([response.status, reason], refused);
    assertMatch(response.headers.get("x-request-id") ?? "", /^req_/);
  });
}

playgroundTest(
  "without a script the form asks once and shows the whole answer",
  async (console) => {
    const browser = await console.signedIn(member);
    await fund(console.store);
    const form = { model, group: "default", format: "messages", system: "Be brief", stop: "" };
    const page = await browser.post("/console/playground", { ...form, prompt: "hello there" });
    assertEquals(page.status, 200);
    const text = textOf(page.html);
    assertMatch(text, /hello there/);
    assertMatch(text, /\d+ in, \d+ out/);
    assertMatch(page.html, /"\/console\/log\/req_/);
    const wrong = await browser.post("/console/playground", { ...form, prompt: "x", tools: "{" });
    assertMatch(textOf(wrong.html), /Invalid JSON/);
    const failing = await browser.post("/console/playground", { ...form, prompt: "fail 429" });
    assertMatch(textOf(failing.html), /Rate limited/);
  },
);

playgroundTest(
  "a link says the settings, and nothing is said where it may not be",
  async (console) => {
    const browser = await console.signedIn(member);
    const link = new URLSearchParams({
      model,
      group: "default",
      format: "responses",
      temperature: "0.3",
      effort: "high",
      stream: "0",
    });
    const { html } = await browser.get(`/console/playground?${link}`);
    assertMatch(html, /name="temperature"[^>]*value="0.3"|value="0.3"[^>]*name="temperature"/);
    assertMatch(
      html,
      /<option[^>]*value="responses"[^>]*selected|<option[^>]*selected[^>]*value="responses"/,
    );
    assertMatch(textOf(html), /Balance exhausted/);
    const odd = await browser.get("/console/playground?model=gone&group=x&format=y&temperature=9");
    assertEquals(odd.status, 200);
    assertMatch(odd.html, /tessera-echo/);
  },
);

playgroundTest("where no model is served, the page says what to do", async (console) => {
  const asMember = await (await console.signedIn(member)).get("/console/playground");
  assertMatch(textOf(asMember.html), /No models available .* Ask an administrator/);
  const asOwner = await (await console.signedIn(administrator)).get("/console/playground");
  assertMatch(asOwner.html, /href="\/console\/admin\/upstreams\/new"/);
}, { groups: [{ id: "default", models: ["nothing"], formats: ["*"], priceRatio: 1 }] });

playgroundTest("an account without limits may call without a balance", async (console) => {
  const other = user({ id: "usr_free", email: "free@example.com", spending: "unlimited" });
  await createUser(console.store, other);
  const browser = await console.signedIn(other);
  assertEquals(/used up/.test((await browser.get("/console/playground")).html), false);
  const response = await ask(console, browser);
  assertEquals(response.status, 200);
  await response.body?.cancel();
});
