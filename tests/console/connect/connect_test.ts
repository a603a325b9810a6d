import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { moveAccount } from "../../../lib/accounts/mod.ts";
import { systems } from "../../../lib/console/connect/client.ts";
import {
  ccSwitchLink,
  clientIds,
  readClient,
  readSystem,
  settingOf,
} from "../../../lib/console/connect/clients.ts";
import { createUpstream, updateGroup } from "../../../lib/store/catalog/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addKey, upstreamRecord } from "../records.ts";

const origin = "https://gateway.example";
const bare = [
  "anthropic-python",
  "anthropic-typescript",
  "google-genai-python",
  "google-genai",
  "claude-code",
  "gemini-cli",
];

for (const id of clientIds) {
  for (const system of systems) {
    Deno.test(`client: ${id} on ${system} is given the base URL of its kind and no secret`, () => {
      const snippet = settingOf(id, { origin, model: "acme's/large", system });
      const urls = [...snippet.matchAll(/https:\/\/gateway\.example([\w/.-]*)/g)]
        .map(([, path]) => path);
      const expected = id === "curl" ? "/v1/chat/completions" : bare.includes(id) ? "" : "/v1";
      assertEquals(urls, id === "codex" ? ["/v1", "/v1/models"] : [expected]);
      assertStringIncludes(snippet, "YOUR_KEY");
      assertEquals(
        settingOf(id, { origin, model: "acme's/large", system, key: "sk-1" }),
        snippet.replaceAll("YOUR_KEY", "sk-1"),
      );
      if (id !== "open-webui") assert(/large/.test(snippet));
    });
  }
}

Deno.test("client: Codex fetches no list for a model that it knows itself", () => {
  const snippet = settingOf("codex", { origin, model: "gpt-6-sol" });
  assert(!snippet.includes("model_catalog_url"));
});

const facts = {
  contextWindow: 131_072,
  maxOutputTokens: 8_192,
  price: { input: 0.1 * 3, output: 1.5, cachedInput: 0.03 },
};

Deno.test("client: clients that count tokens or add up costs get the gateway's limits and prices", () => {
  const of = (id: Parameters<typeof settingOf>[0], model = "acme-large", known = true) =>
    settingOf(id, { origin, model, ...(known && { facts }) });
  assertStringIncludes(of("claude-code"), "export CLAUDE_CODE_GATEWAY_HINT_HEADERS='1'");
  assertStringIncludes(of("claude-code"), "export CLAUDE_CODE_MAX_CONTEXT_TOKENS='131072'");
  for (const snippet of [of("claude-code", "claude-opus-5"), of("claude-code", "x", false)]) {
    assert(!snippet.includes("MAX_CONTEXT_TOKENS"));
  }
  const { provider } = JSON.parse(of("opencode"));
  assertEquals(provider.tessera.models["acme-large"], {
    limit: { context: 131_072, output: 8_192 },
    cost: { input: 0.3, output: 1.5, cache_read: 0.03, cache_write: 0.3 },
  });
  const { providers } = JSON.parse(of("pi"));
  assertEquals(providers.tessera.models, [{
    id: "acme-large",
    contextWindow: 131_072,
    maxTokens: 8_192,
    cost: { input: 0.3, output: 1.5, cacheRead: 0.03, cacheWrite: 0.3 },
  }]);
  assertStringIncludes(of("cline"), "Context Window Size: 131072\nMax Output Tokens: 8192");
  assertStringIncludes(of("cline"), "Input Price / 1M tokens: 0.3\nOutput Price / 1M tokens: 1.5");
});

testConsole("connect: the models of one's own key are a file for Codex", async (console) => {
  const { store } = console;
  const models = ["acme-large", "claude-opus-5", "text-embedding-3-small"].map((id) => ({ id }));
  await createUpstream(store, upstreamRecord({ id: "acme", models }));
  await addKey(store, { id: "key_1", accountId: member.id });
  const browser = await console.signedIn(member);
  const page = await browser.get("/console/connect?client=codex&key=key_1");
  const link = "/console/connect/catalog?key=key_1";
  assertStringIncludes(page.html, `href="${link}"`);
  const file = await browser.get(link);
  assertStringIncludes(file.headers.get("content-disposition") ?? "", "codex-models.json");
  const slugs = JSON.parse(file.html).models.map(({ slug }: { slug: string }) => slug);
  assertEquals(slugs, ["claude-opus-5", "acme-large"]);
  const other = await console.signedIn(administrator);
  assertEquals((await other.get(link)).status, 404);
});

Deno.test("client: the system of the address, else the browser's", () => {
  assertEquals(readSystem("unix", "Mozilla/5.0 (Windows NT 10.0)"), "unix");
  assertEquals(readSystem(null, "Mozilla/5.0 (Windows NT 10.0)"), "windows");
  assertEquals(readSystem("amiga", null), "unix");
});

Deno.test("client: CC Switch takes over what it knows, and never a secret", () => {
  assertEquals(
    ccSwitchLink("codex", { origin, model: "acme large" }),
    "ccswitch://v1/import?resource=provider&app=codex&name=Tessera" +
      "&homepage=https%3A%2F%2Fgateway.example" +
      "&endpoint=https%3A%2F%2Fgateway.example%2Fv1&model=acme%20large",
  );
  assertEquals(ccSwitchLink("cursor", { origin, model: "acme" }), undefined);
});

Deno.test("client: a name that is none means the first", () => {
  assertEquals([readClient("codex"), readClient("constructor"), readClient(null)], [
    "codex",
    "curl",
    "curl",
  ]);
});

testConsole("connect: the reference of the API is a link away", async (console) => {
  const { html } = await (await console.signedIn(member)).get("/console/connect");
  assertStringIncludes(html, 'href="/docs/api"');
  assertStringIncludes(html, 'href="/docs/start/clients"');
});

testConsole("connect: six clients are in sight, the others behind More", async (console) => {
  const browser = await console.signedIn(member);
  for (const [client, isOpen] of [["codex", false], ["zed", true]] as const) {
    const { html } = await browser.get(`/console/connect?client=${client}`);
    const [, shown, folded] = /<nav id="clients"(.*?)<details(.*?)<\/nav>/s.exec(html) ?? [];
    const links = (part = "") => part.match(/href="\/console\/connect\?client=/g)?.length ?? 0;
    assertEquals([links(shown), links(shown) + links(folded)], [6, clientIds.length]);
    assertEquals(/^[^>]*\bopen\b/.test(folded ?? ""), isOpen, client);
  }
});

testConsole("connect: the client and the model of the address", async (console) => {
  const { store, directory } = console;
  const browser = await console.signedIn(member);
  await updateGroup(store, "default", (group) => ({ ...group, models: ["acme-*"] }));
  await directory.refresh();
  assertStringIncludes(textOf((await browser.get("/console/connect")).html), "No models yet");
  await createUpstream(
    store,
    upstreamRecord({ id: "acme", models: [{ id: "acme-large" }, { id: "acme-small" }] }),
  );
  await directory.refresh();
  const page = await browser.get("/console/connect?client=claude-code&model=acme-small");
  assertStringIncludes(textOf(page.html), "export ANTHROPIC_BASE_URL='http://localhost'");
  assertStringIncludes(textOf(page.html), "export ANTHROPIC_MODEL='acme-small'");
  const other = await browser.get("/console/connect?client=codex&model=not-mine");
  assertStringIncludes(textOf(other.html), 'model = "acme-large"');
  assert(!textOf(other.html).includes("not-mine"));
});

testConsole("connect: a key's models are those that its project allows too", async (console) => {
  const { store, directory } = console;
  await createProject(store, sampleProject({ models: ["acme-small"] }));
  const browser = await console.signedIn(member);
  await moveAccount(store, member.id, "research");
  const key = await addKey(store, { accountId: member.id });
  await createUpstream(
    store,
    upstreamRecord({ id: "acme", models: [{ id: "acme-large" }, { id: "acme-small" }] }),
  );
  await directory.refresh();
  const { html } = await browser.get(`/console/connect?key=${key.id}`);
  assertStringIncludes(html, "acme-small");
  assert(!html.includes("acme-large"));
});
