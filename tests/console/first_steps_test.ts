import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { faultText } from "../../lib/admin/fault_text.ts";
import { faults } from "../../lib/admin/faults.ts";
import {
  addressField,
  unknownHost,
  upstreamValues,
} from "../../lib/admin/upstreams/upstream_form.ts";
import { firstSteps } from "../../lib/console/overview/first_steps.ts";
import { listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { callIdAt } from "./calls/call_id.ts";
import { type TestConsole, testConsole, textOf } from "./console.ts";
import { administrator, member } from "./people.ts";
import { addCall, addKey } from "./records.ts";
import { withGateway } from "./upstreams/upstream_scene.ts";

const noHost = "no-such-host.invalid";
const provider = { preset: "openai", key: "sk-provider", baseUrl: "" };

/** The control of a name, as it came, with its fault. */
function field(html: string, id: string): { readonly tag: string; readonly fault: string } {
  const tag = new RegExp(`<(input|select|fieldset)[^>]* id="${id}"[^>]*>`).exec(html)?.[0] ?? "";
  const fault = new RegExp(`id="${id}-fault"[^>]*>(.*?)</p>`).exec(html)?.[1] ?? "";
  return { tag, fault: fault.replace(/<[^>]*>/g, "").trim() };
}

const languages = [
  {
    language: "en",
    told: `DNS lookup for ${noHost} failed. Check the hostname and this server's network.`,
  },
  { language: "zh-CN", told: `${noHost} 的 DNS 解析失败。请检查主机名和本服务器的网络。` },
] as const;
for (const { language, told } of languages) {
  testConsole(
    `first steps: an unknown host is told at the base URL (${language})`,
    async (console) => {
      withGateway(console);
      const browser = await signedInReading(console, language);
      const form = { ...provider, baseUrl: `https://${noHost}/v1` };
      const { status, html } = await browser.post("/console/welcome", form);
      assertEquals(status, 422);
      const { tag, fault } = field(html, "baseUrl");
      assertEquals(fault, told);
      assertStringIncludes(tag, 'aria-invalid="true"');
      assertStringIncludes(html, '<details class="more" open');
      assertEquals(field(html, "preset").fault, "");
    },
  );
}

Deno.test("an unknown host of a preset is nobody's spelling", () => {
  const { preset } = unknownHost("https://api.example/v1", "preset");
  assertEquals(
    preset && faultText(preset, faults.upstream),
    "DNS lookup for api.example failed. Check this server's DNS and internet connection.",
  );
});

Deno.test("an address is at fault where it was typed, else where its preset was chosen", () => {
  const values = upstreamValues();
  assertEquals(addressField({ ...values, preset: "openai" }, "responses"), "preset");
  assertEquals(addressField({ ...values, preset: "openai", baseUrl: "u" }, "responses"), "baseUrl");
  assertEquals(addressField({ ...values, responses: "u", baseUrl: "u" }, "responses"), "responses");
});

testConsole("upstreams: an unknown host is told at the address that was typed", async (console) => {
  withGateway(console);
  const browser = await console.signedIn(administrator);
  const form = { id: "a", preset: "", credentials: "k", models: "m", groups: "*", priority: "0" };
  const typed = { ...form, weight: "1", messages: `https://${noHost}`, intent: "test" };
  const { html } = await browser.post("/console/admin/upstreams/new", typed);
  assertStringIncludes(field(html, "messages").fault, `DNS lookup for ${noHost} failed`);
});

testConsole(
  "first steps: the key printed at the start is used, and no other made",
  async (console) => {
    await addKey(console.store, { id: "key_1", name: "printed-at-start" });
    const browser = await console.signedIn(administrator);
    const answer = await browser.post("/console/welcome", { intent: "built-in" });
    assertEquals(answer.headers.get("location"), "/console/welcome?provider=built-in");
    assertEquals((await listApiKeys(console.store)).map(({ name }) => name), ["printed-at-start"]);
    const { html } = await browser.get("/console/welcome?provider=built-in");
    const text = textOf(html);
    assertStringIncludes(text, "printed-at-start");
    assertStringIncludes(text, "printed in the terminal at the first start");
    assertStringIncludes(text, "Replace YOUR_KEY with the secret of printed-at-start");
    assertEquals(html.match(/sk-[0-9A-Za-z]{34}/), null);
  },
);

testConsole("first steps: the overview is one column until a call is answered", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "ci" });
  const browser = await console.signedIn(administrator);
  const begin = (await browser.get("/console")).html;
  const main = begin.slice(begin.indexOf("<main"), begin.indexOf("</main>"));
  assert(!main.includes("<aside") && !main.includes('id="latest"'));
  const ids = [...main.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id);
  assertEquals(ids, ["first-call", "clients", "base-url"]);
  await addCall(store, { keyId: "key_1", ...callIdAt(60_000, 1) });
  assertStringIncludes((await browser.get("/console")).html, 'class="page split"');
});

const notDone = { account: false, provider: false, call: false };
for (
  const [name, done, expected] of [
    ["nothing is done", {}, "account:open provider:later call:later"],
    ["the account is made", { account: true }, "account:done provider:open call:later"],
    [
      "a provider is there",
      { account: true, provider: true },
      "account:done provider:done call:open",
    ],
    [
      "all is done",
      { account: true, provider: true, call: true },
      "account:done provider:done call:done",
    ],
    [
      "called before a provider",
      { account: true, call: true },
      "account:done provider:open call:done",
    ],
    ["no step for members", { account: true, provider: undefined }, "account:done call:open"],
  ] as const
) {
  Deno.test(`first steps: ${name}`, () => {
    const steps = firstSteps({ ...notDone, ...done });
    assertEquals(steps.map(({ name, state }) => `${name}:${state}`).join(" "), expected);
  });
}

/** The state of each step on the page. */
function stepsOf(html: string): string[] {
  const list = /<ol class="first-steps">(.*)/s.exec(html)?.[1] ?? "";
  return [...list.matchAll(/<li[^>]*class="(done|open|later)"/g)].map(([, state]) => state);
}

testConsole(
  "first steps: one page goes from the provider to the answered call",
  async (console) => {
    const { store } = console;
    const browser = await console.signedIn(administrator);
    const states = async (address: string) => stepsOf((await browser.get(address)).html);
    assertEquals(await states("/console/welcome"), ["done", "open", "later"]);
    const chosen = await browser.post("/console/welcome", { intent: "built-in" });
    const path = chosen.headers.get("location") ?? "";
    assertEquals(await states(path), ["done", "done", "open"]);
    const another = await browser.post(path, { intent: "key" });
    assertEquals(another.headers.get("location"), path, "the choice is kept");
    const [{ id: keyId }] = await listApiKeys(store);
    await addCall(store, { keyId, ...callIdAt(60_000, 1) });
    assert((await browser.get(path)).html.includes("sk-"), "a new secret is shown nevertheless");
    assertEquals(await states(path), ["done", "done", "done"]);
  },
);

testConsole("first steps: members call without choosing a provider", async (console) => {
  const browser = await console.signedIn(member);
  assertEquals(stepsOf((await browser.get("/console/welcome")).html), ["done", "open"]);
  assertEquals((await browser.post("/console/welcome", { intent: "built-in" })).status, 404);
  const made = await browser.post("/console/welcome", { intent: "key" });
  assertEquals(made.headers.get("location"), "/console/welcome");
});

testConsole("first steps: a test call without a script returns to the page", async (console) => {
  const { id: key } = await addKey(console.store, { id: "key_1", name: "ci" });
  const browser = await console.signedIn(administrator);
  const fields = { from: "welcome", provider: "built-in", since: "1" };
  const { headers } = await browser.post("/console/connect/check", { key, model: "m", ...fields });
  assertEquals(headers.get("location"), "/console/welcome?provider=built-in&since=1");
});

testConsole("first steps: who has no key gets one", async (console) => {
  const browser = await console.signedIn(administrator);
  await browser.post("/console/welcome", { intent: "built-in" });
  assertEquals((await listApiKeys(console.store)).map(({ name }) => name), ["first-key"]);
  const { html } = await browser.get("/console/welcome?provider=built-in");
  assert(/sk-[0-9A-Za-z]{34}/.test(html));
});

testConsole("a fresh secret is masked wherever it stands until it is revealed", async (console) => {
  const browser = await console.signedIn(administrator);
  for (
    const [address, form, page] of [
      ["/console/welcome", { intent: "built-in" }, "/console/welcome?provider=built-in"],
      ["/console/token/new", { name: "ci", group: "default" }, "/console/token"],
    ] as const
  ) {
    await browser.post(address, form);
    const { html } = await browser.get(page);
    const secret = /sk-[0-9A-Za-z]{34}/.exec(html)?.[0] ?? "";
    assert(secret !== "", page);
    const clear = [...html.matchAll(/<code([^>]*)>([^<]*)<\/code>/g)]
      .filter(([, attributes, text]) =>
        text.includes(secret) && !/class="(value|clear)"/.test(attributes)
      );
    assertEquals(clear.map(([one]) => one), [], page);
    const count = (found: RegExp) => html.match(found)?.length ?? 0;
    assertEquals(count(/class="(clear|value)"/g), count(/class="masked"/g), page);
    assert(count(/class="clear"/g) > 5, "the settings of each client");
    assertEquals(count(/class="when-closed"/g), 1, "one button reveals them all");
  }
});

testConsole(
  "rotate: the old secret goes on for 24 hours unless chosen otherwise",
  async (console) => {
    await addKey(console.store, { id: "key_1", name: "ci" });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console/token/key_1/rotate");
    const checked = [...html.matchAll(/<input type="radio" name="grace"[^>]*>/g)]
      .map(([tag]) => tag).filter((tag) => /\bchecked\b/.test(tag));
    assertEquals(checked.length, 1);
    assertStringIncludes(checked[0], 'value="24h"');
  },
);

/** A browser of an administrator whose reader prefers a language. */
async function signedInReading(console: TestConsole, language: string) {
  const signedIn = await console.signedIn(administrator);
  const browser = console.browser({ language });
  for (const [name, value] of signedIn.cookies) browser.cookies.set(name, value);
  return browser;
}
