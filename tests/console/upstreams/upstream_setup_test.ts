import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createUpstream, getUpstream, listUpstreams } from "../../../lib/store/catalog/mod.ts";
import { credentialsOf } from "../../../lib/upstreams/mod.ts";
import { presetNamed } from "../../../lib/upstreams/presets/mod.ts";
import { startUpstream } from "../../e2e/fake_upstream.ts";
import { assertRedirect, type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { entries, form, list, sample, secret, withGateway } from "./upstream_scene.ts";

/** An upstream that lists two models for its key. */
function vendor() {
  return startUpstream(({ headers }) =>
    headers.get("authorization") === `Bearer ${secret}`
      ? Response.json({ data: [{ id: "gpt-5" }, { id: "gpt-5-mini" }] })
      : Response.json({ error: { message: "Bad key" } }, { status: 401 })
  );
}

/** The browser of an administrator, and a form that tests an upstream before it is saved. */
async function readyToTest(
  console: TestConsole,
  { base }: { readonly base: string },
  fields: Readonly<Record<string, string>>,
) {
  withGateway(console, true);
  const filled = { ...form, "chat-completions": `${base}/v1`, intent: "test", ...fields };
  return { browser: await console.signedIn(administrator), filled };
}

testConsole(
  "upstreams: one is tested and saved in one click, with the models that it lists",
  async (console) => {
    await using upstream = vendor();
    const { browser, filled } = await readyToTest(console, upstream, { models: "" });
    assertRedirect(await browser.post(`${list}/new`, filled), `${list}/vendor?done=created`);
    const made = await getUpstream(console.store, "vendor");
    assertEquals(made?.enabled, true);
    assertEquals(made?.models, [{ id: "gpt-5" }, { id: "gpt-5-mini" }]);
  },
);

for (
  const [preset, models] of [
    ["openai", presetNamed("openai").models ?? []],
    ["mistral", ["gpt-5", "gpt-5-mini"]],
  ] as const
) {
  testConsole(`upstreams: one with the preset ${preset} serves what it lists`, async (console) => {
    await using upstream = vendor();
    const { browser, filled } = await readyToTest(console, upstream, {
      preset,
      baseUrl: `${upstream.base}/v1`,
      "chat-completions": "",
      models: "",
    });
    assertRedirect(await browser.post(`${list}/new`, filled), `${list}/vendor?done=created`);
    const made = await getUpstream(console.store, "vendor");
    assertEquals(made?.models, models.map((id) => ({ id })));
  });
}

testConsole(
  "upstreams: a test that fails names the fault, keeps the key sealed, and lets one save it disabled",
  async (console) => {
    await using upstream = vendor();
    const { browser, filled } = await readyToTest(console, upstream, {
      credentials: "wrong-key-of-mine",
    });
    const answer = await browser.post(`${list}/new`, filled);
    assertEquals(answer.status, 200);
    assertStringIncludes(textOf(answer.html), "The upstream rejected the key");
    assertStringIncludes(textOf(answer.html), "Not saved: the test failed.");
    assert(!answer.html.includes("wrong-key-of-mine"));
    assertEquals(await listUpstreams(console.store), []);
    assertEquals(await entries(console.store), []);
    const kept = /name="kept" value="([^"]+)"/.exec(answer.html)?.[1] ?? "";
    const again = { ...filled, credentials: "", kept, intent: "draft" };
    const other = await console.signedIn({ ...administrator, id: "usr_other" });
    void other;
    assertRedirect(await browser.post(`${list}/new`, again), `${list}/vendor?done=draft`);
    const saved = await getUpstream(console.store, "vendor");
    assertEquals([saved?.enabled, saved?.credentials], [false, ["wrong-key-of-mine"]]);
  },
);

testConsole("upstreams: kept keys open in their own session alone", async (console) => {
  withGateway(console);
  const browser = await console.signedIn(administrator);
  const answer = await browser.post(`${list}/new`, { ...form, id: "a b" });
  const kept = /name="kept" value="([^"]+)"/.exec(answer.html)?.[1] ?? "";
  assert(kept !== "" && !answer.html.includes(secret));
  const other = await console.signedIn(administrator);
  await other.post(`${list}/new`, { ...form, credentials: "", kept });
  assertEquals((await getUpstream(console.store, "vendor"))?.credentials, []);
});

testConsole(
  "upstreams: a draft is enabled by a test that goes well, and stays a draft otherwise",
  async (console) => {
    await using upstream = vendor();
    withGateway(console, true);
    const endpoints = { "chat-completions": `${upstream.base}/v1` };
    await createUpstream(console.store, sample({ endpoints, enabled: false }));
    const wrong = { id: "wrong", endpoints, enabled: false, credentials: ["bad"] };
    await createUpstream(console.store, sample(wrong));
    const browser = await console.signedIn(administrator);
    const enable = { enable: "true" };
    assertRedirect(await browser.post(`${list}/vendor/test`, enable), `${list}/vendor?done=tested`);
    assertEquals((await getUpstream(console.store, "vendor"))?.enabled, true);
    const failed = await browser.post(`${list}/wrong/test`, enable);
    assertStringIncludes(textOf(failed.html), "Still disabled: the test failed.");
    assertEquals((await getUpstream(console.store, "wrong"))?.enabled, false);
    assertEquals((await entries(console.store)).map(({ action }) => action), ["enabled"]);
  },
);

testConsole(
  "upstreams: keys are added and removed one by one, and never shown",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample());
    const browser = await console.signedIn(administrator);
    const path = `${list}/vendor/credentials`;
    const added = { credentials: `second-key\n${secret}\nthird-key` };
    assertRedirect(await browser.post(path, added), `${list}/vendor?done=keys`);
    assertEquals((await getUpstream(store, "vendor"))?.credentials, [
      secret,
      "second-key",
      "third-key",
    ]);
    const [, second] = credentialsOf({ credentials: [secret, "second-key"] });
    console.clock.nowMs += 1;
    await browser.post(path, { remove: second.id });
    assertEquals((await getUpstream(store, "vendor"))?.credentials, [secret, "third-key"]);
    const bad = await browser.post(path, { credentials: "with spaces" });
    assertRedirect(bad, `${list}/vendor?fault=keys`);
    const page = await browser.get(`${list}/vendor?fault=keys`);
    assertStringIncludes(textOf(page.html), "Enter new keys without spaces");
    const log = await entries(store);
    assertEquals(log.map(({ changes }) => changes), [
      [{ field: "credentials", before: "3", after: `2, without ${second.id}` }],
      [{ field: "credentials", before: "1", after: "3" }],
    ]);
    for (const one of ["second-key", "third-key", secret]) {
      assert(!JSON.stringify(log).includes(one) && !page.html.includes(one));
    }
  },
);

testConsole(
  "upstreams: header, timeouts, version, caching, WebSocket and compaction are set, and taken away again",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample());
    const browser = await console.signedIn(administrator);
    const wire = {
      ...form,
      models: "gpt-5",
      authHeader: "X-Api-Key",
      authPrefix: "Key",
      messagesVersion: "2023-06-01",
      automaticCaching: "off",
      websocket: "on",
      ownCompaction: "false",
      connectMs: "2.5",
      firstByteMs: "1",
    };
    await browser.post(`${list}/vendor`, wire);
    const saved = await getUpstream(store, "vendor");
    assertEquals(saved?.auth, { header: "x-api-key", prefix: "Key " });
    assertEquals(saved?.messagesVersion, "2023-06-01");
    assertEquals([saved?.automaticCaching, saved?.websocket], [false, true]);
    assertEquals(saved?.ownCompaction, false);
    const shown = await browser.get(`${list}/vendor`);
    for (const value of ["off", "on", "false"]) {
      assert(new RegExp(`<option[^>]*value="${value}"[^>]*selected`).test(shown.html), shown.html);
    }
    assertEquals([saved?.timeouts.connectMs, saved?.timeouts.idleMs], [2_500, 1_000]);
    await browser.post(`${list}/vendor`, {
      ...wire,
      authHeader: "",
      messagesVersion: "",
      automaticCaching: "",
      websocket: "",
      ownCompaction: "",
    });
    const bare = await getUpstream(store, "vendor");
    assertEquals(
      [
        bare?.auth,
        bare?.messagesVersion,
        bare?.automaticCaching,
        bare?.websocket,
        bare?.ownCompaction,
      ],
      Array(5).fill(undefined),
    );
    const answer = await browser.post(`${list}/vendor`, { ...wire, idleMs: "soon" });
    assertStringIncludes(textOf(answer.html), "Enter seconds, from 0.1 to 86,400.");
  },
);

testConsole("upstreams: a factor or JSON says what calls cost", async (console) => {
  const { store } = console;
  withGateway(console);
  await createUpstream(store, sample());
  const browser = await console.signedIn(administrator);
  const save = async (costs: string) => {
    const { html } = await browser.post(`${list}/vendor`, { ...form, models: "gpt-5", costs });
    return { text: textOf(html), saved: (await getUpstream(store, "vendor"))?.costs };
  };
  assertEquals((await save("0.8")).saved, { factor: 0.8 });
  const prices = { prices: { "gpt-5": { input: 1, output: 2 } } };
  assertEquals((await save(JSON.stringify(prices))).saved, prices);
  for (const wrong of ["cheap", "{", '{"factor":101}']) {
    const { text, saved } = await save(wrong);
    assertStringIncludes(text, "Enter a factor such as 0.8, or JSON as in the configuration file");
    assertEquals(saved, prices);
  }
  assertEquals((await save("")).saved, undefined);
});

testConsole("upstreams: members reach none of it", async (console) => {
  withGateway(console);
  await createUpstream(console.store, sample());
  const browser = await console.signedIn(member);
  for (const path of ["order", "credentials", "models", "import", "test"]) {
    assertEquals((await browser.post(`${list}/vendor/${path}`, {})).status, 403, path);
  }
  assertEquals((await browser.get(`${list}/vendor/models`)).status, 403);
});
