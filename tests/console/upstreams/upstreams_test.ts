import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { createUpstream, getUpstream, listUpstreams } from "../../../lib/store/catalog/mod.ts";
import { credentialsOf } from "../../../lib/upstreams/mod.ts";
import { startUpstream } from "../../e2e/fake_upstream.ts";
import { assertRedirect, testConsole, textOf, undoFrom } from "../console.ts";
import { administrator } from "../people.ts";
import { entries, form, list, sample, secret, withGateway } from "./upstream_scene.ts";

testConsole("upstreams: one is added, and its key is never shown again", async (console) => {
  const { store } = console;
  withGateway(console);
  const browser = await console.signedIn(administrator);
  assertStringIncludes(textOf((await browser.get(list)).html), "No upstreams yet");
  assertRedirect(await browser.post(`${list}/new`, form), `${list}/vendor?done=draft`);
  const made = await getUpstream(store, "vendor");
  assertEquals(made?.credentials, [secret]);
  assertEquals(made?.models, [{ id: "gpt-5" }, { id: "fast", upstreamModel: "gpt-5-mini" }]);
  assertEquals([made?.enabled, made?.origin], [false, "console"]);
  const pages = await Promise.all([list, `${list}/vendor`].map((path) => browser.get(path)));
  const log = await entries(store);
  assertEquals(log.map(({ action }) => action), ["created"]);
  for (const one of [JSON.stringify(log), ...pages.map(({ html }) => html)]) {
    assert(!one.includes(secret));
  }
  assertStringIncludes(
    textOf(pages[0].html),
    "vendor Disabled — — 0 0 · 1",
  );
  assertStringIncludes(textOf(pages[1].html), "Credentials 1 key, none rejected");
});

testConsole("upstreams: a preset fills in what is not said", async (console) => {
  withGateway(console);
  const browser = await console.signedIn(administrator);
  const base = "https://203.0.114.9";
  const short = { ...form, preset: "anthropic", baseUrl: base, "chat-completions": "", models: "" };
  await browser.post(`${list}/new`, short);
  const made = await getUpstream(console.store, "vendor");
  assertEquals(made?.endpoints, { messages: base });
  assertEquals([made?.preset, made?.models], ["anthropic", [{ id: "claude-*" }]]);
});

testConsole(
  "upstreams: without a preset the base URL is that of chat completions",
  async (console) => {
    withGateway(console);
    const browser = await console.signedIn(administrator);
    const base = "https://203.0.114.9/v1";
    await browser.post(`${list}/new`, { ...form, baseUrl: base, "chat-completions": "" });
    const made = await getUpstream(console.store, "vendor");
    assertEquals([made?.preset, made?.endpoints], [undefined, { "chat-completions": base }]);
  },
);

for (
  const [field, value, fault] of [
    ["id", "a b", "Enter a name of at most 64 letters"],
    ["preset", "nobody", "Choose an option."],
    ["chat-completions", "", "Enter a base URL, or choose a preset that has one."],
    ["chat-completions", "ftp://example.com", "it must begin with https:// or http://"],
    ["chat-completions", "http://10.0.0.1/v1", "it is not a public address"],
    ["chat-completions", "http://169.254.169.254/v1", "it is not a public address"],
    [
      "credentials",
      "with spaces in it",
      "Enter at most 50 keys without spaces, or a credential source in JSON.",
    ],
    ["models", "a = b = c", "at most 5,000 models"],
    ["groups", "nobody", "Enter names of existing groups, or *."],
    ["priority", "high", "Enter a whole number."],
    ["weight", "0", "Enter a whole number of at least 1."],
  ] as const
) {
  testConsole(`upstreams: ${field} ${JSON.stringify(value)} will not do`, async (console) => {
    withGateway(console);
    const browser = await console.signedIn(administrator);
    const answer = await browser.post(`${list}/new`, { ...form, [field]: value });
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), fault);
    assertStringIncludes(answer.html, 'aria-invalid="true"');
    assert(!answer.html.includes(secret));
    assertEquals(await listUpstreams(console.store), []);
    assertEquals(await entries(console.store), []);
  });
}

testConsole("upstreams: a taken name is refused, and the first stays", async (console) => {
  withGateway(console);
  await createUpstream(console.store, sample({ weight: 7 }));
  const browser = await console.signedIn(administrator);
  const answer = await browser.post(`${list}/new`, form);
  assertEquals(answer.status, 422);
  assertStringIncludes(answer.html, "An upstream with this name already exists.");
  assertEquals((await getUpstream(console.store, "vendor"))?.weight, 7);
});

testConsole(
  "upstreams: one is changed, and keeps its key where none is entered",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample());
    const browser = await console.signedIn(administrator);
    const path = `${list}/vendor`;
    const changed = { ...form, credentials: "", models: "gpt-5", groups: "coding", weight: "3" };
    assertRedirect(await browser.post(path, changed), `${path}?done=saved`);
    const saved = await getUpstream(store, "vendor");
    assertEquals([saved?.credentials, saved?.groups, saved?.weight], [[secret], ["coding"], 3]);
    assertEquals((await entries(store))[0].changes, [
      { field: "groups", before: "*", after: "coding" },
      { field: "weight", before: "1", after: "3" },
    ]);
    assertRedirect(await browser.post(path, changed), `${path}?done=unchanged`);
    await browser.post(path, { ...changed, credentials: "another-secret" });
    assertEquals((await getUpstream(store, "vendor"))?.credentials, [secret]);
  },
);

testConsole("upstreams: one is disabled, enabled and deleted after a question", async (console) => {
  const { store } = console;
  withGateway(console);
  await createUpstream(store, sample());
  const browser = await console.signedIn(administrator);
  const path = `${list}/vendor`;
  await browser.post(`${path}/enabled`, { enabled: "false" });
  assertEquals((await getUpstream(store, "vendor"))?.enabled, false);
  assertStringIncludes(textOf((await browser.get(list)).html), "Disabled");
  await browser.post(`${path}/enabled`, { enabled: "true" });
  const question = textOf((await browser.get(`${path}/delete`)).html);
  assertStringIncludes(question, "Delete vendor? Used by 2 groups for 1 model.");
  assertStringIncludes(question, "No other upstream serves these models");
  assertEquals((await browser.post(`${path}/delete`, {})).status, 422);
  assertEquals((await browser.post(`${path}/delete`, { name: "vendors" })).status, 422);
  assertRedirect(await browser.post(`${path}/delete`, { name: "vendor" }), `${list}?done=deleted`);
  assertEquals(await listUpstreams(store), []);
  const actions = (await entries(store)).map(({ action }) => action).toSorted();
  assertEquals(actions, ["deleted", "disabled", "enabled"]);
});

testConsole("upstreams: disabling one can be undone from the next page, once", async (console) => {
  const { store } = console;
  withGateway(console);
  await createUpstream(store, sample());
  await createUpstream(store, sample({ id: "declared", origin: "config", enabled: false }));
  const browser = await console.signedIn(administrator);
  const sent = `${list}/vendor?done=disabled`;
  assertRedirect(await browser.post(`${list}/vendor/enabled`, { enabled: "false" }), sent);
  assertEquals(
    await undoFrom(await browser.get(`${list}/declared?done=disabled`), browser),
    undefined,
  );
  await browser.post(`${list}/vendor/enabled`, { enabled: "false" });
  const page = await browser.get(sent);
  assertEquals(await undoFrom(await browser.get(sent), browser), undefined, "not on reload");
  const undone = await undoFrom(page, browser);
  assertEquals(undone?.headers.get("location"), `${list}/vendor?done=enabled`);
  assertEquals((await getUpstream(store, "vendor"))?.enabled, true);
});

testConsole(
  "upstreams: what the configuration declares is read-only and says so",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample({ origin: "config" }));
    const browser = await console.signedIn(administrator);
    const path = `${list}/vendor`;
    const page = await browser.get(path);
    assertStringIncludes(textOf(page.html), "Managed by the config file.");
    assert(!page.html.includes('name="weight"') && !page.html.includes("/enabled"));
    assertEquals((await browser.post(path, { ...form, weight: "9" })).status, 404);
    assertEquals((await browser.post(`${path}/enabled`, { enabled: "false" })).status, 404);
    assertEquals((await browser.get(`${path}/delete`)).status, 404);
    assertEquals((await browser.post(`${path}/delete`, {})).status, 404);
    assertEquals(await getUpstream(store, "vendor"), sample({ origin: "config" }));
    assertEquals(await entries(store), []);
  },
);

testConsole("upstreams: the connection is tested, without showing the key", async (console) => {
  await using upstream = startUpstream(({ headers }) =>
    headers.get("authorization") === `Bearer ${secret}`
      ? Response.json({ object: "list", data: [{ id: "gpt-5" }] })
      : Response.json({ error: { message: `Bad key ${secret}` } }, { status: 401 })
  );
  withGateway(console, true);
  const endpoints = { "chat-completions": `${upstream.base}/v1` };
  await createUpstream(console.store, sample({ endpoints }));
  await createUpstream(console.store, sample({ id: "wrong", endpoints, credentials: ["bad"] }));
  const browser = await console.signedIn(administrator);
  const good = await browser.post(`${list}/vendor/test`, {});
  assertStringIncludes(textOf(good.html), "Connection OK: the key is accepted");
  assertStringIncludes(textOf(good.html), "1 model listed.");
  const bad = await browser.post(`${list}/wrong/test`, {});
  assertStringIncludes(textOf(bad.html), "The upstream rejected the key");
  assertRedirect(await browser.get(`${list}/vendor/test`), `${list}/vendor`);
  assertEquals((await browser.post(`${list}/nobody/test`, {})).status, 404);
  assertEquals(await entries(console.store), []);
});

testConsole("upstreams: health shows what is left alone, and who would serve", async (console) => {
  const { store, directory } = console;
  const { health } = withGateway(console);
  const failing = sample({ id: "failing", priority: 5 });
  await createUpstream(store, failing);
  await createUpstream(store, sample({ id: "other", groups: ["coding"] }));
  await directory.refresh();
  const [credential] = credentialsOf(failing);
  const candidate = {
    upstream: failing,
    upstreamModel: "gpt-5",
    format: "chat-completions",
    credential,
  } as const;
  const error = new GatewayError("upstream_unreachable", "Nobody is there");
  for (let n = 0; n < 5; n++) health.begin(candidate)?.ended(error);
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get(list)).html);
  assertStringIncludes(text, "Paused after errors until Nov 21, 2026");
  const one = textOf((await browser.get(`${list}/failing`)).html);
  assertStringIncludes(
    one,
    "Paused after errors until Nov 21, 2026, 08:40:20 Custom upstream. Used only if no other upstream is left.",
  );
  assertStringIncludes(one, "Last error Unreachable, now");
  assertStringIncludes(one, "Routing priority 5, weight 1, all groups");
  const path = `${list}?model=gpt-5&group=default&format=messages`;
  const which = textOf((await browser.get(path)).html);
  assertStringIncludes(which, "Serves it by conversion to Chat completions · priority 5");
  assertStringIncludes(which, "other Not used Does not serve group default");
  assertStringIncludes(
    which,
    "weight 1 · paused until Nov 21, 2026, 08:40:20: connection failed",
  );
  const chinese = console.browser({ language: "zh-CN" });
  for (const [name, value] of browser.cookies) chinese.cookies.set(name, value);
  const told = textOf((await chinese.get(path)).html);
  assertStringIncludes(told, "转换为 Chat completions · 优先级 5");
  assertStringIncludes(told, "other 不使用 不服务分组 default");
  assertEquals((await browser.get(`${list}?model=<b>&group=x&format=y`)).status, 200);
});
