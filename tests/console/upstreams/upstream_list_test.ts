import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { movedPriority } from "../../../lib/admin/upstreams/upstream_order.ts";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { createUpstream, getUpstream } from "../../../lib/store/catalog/mod.ts";
import { credentialsOf } from "../../../lib/upstreams/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, nowMs } from "../people.ts";
import { addCall } from "../records.ts";
import { entries, list, sample, withGateway } from "./upstream_scene.ts";

/** The names of the upstreams that a page lists, in order. */
function listed(html: string): string[] {
  return [...html.matchAll(/href="\/console\/admin\/upstreams\/([\w-]+)" [^>]*translate="no"/g)]
    .map(([, id]) => id);
}

testConsole(
  "upstreams: the list is filtered, ordered and paged by its address",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample({ id: "east", priority: 5, groups: ["coding"] }));
    await createUpstream(store, sample({ id: "west", models: [{ id: "claude-x" }] }));
    await createUpstream(
      store,
      sample({ id: "file", priority: 9, origin: "config", enabled: false }),
    );
    const browser = await console.signedIn(administrator);
    const at = async (query: string) => listed((await browser.get(`${list}${query}`)).html);
    assertEquals(await at(""), ["file", "east", "west"]);
    assertEquals(await at("?sort=name"), ["east", "file", "west"]);
    assertEquals(await at("?q=CLAUDE"), ["west"]);
    assertEquals(await at("?state=disabled"), ["file"]);
    assertEquals(await at("?serves=default"), ["file", "west"]);
    assertEquals(await at("?from=console&state=well"), ["east", "west"]);
    const none = await browser.get(`${list}?q=nobody`);
    assertStringIncludes(textOf(none.html), "0 of 3 upstreams");
    assertStringIncludes(textOf(none.html), "No upstreams match");
    for (let n = 0; n < 30; n++) await createUpstream(store, sample({ id: `more-${n}` }));
    const second = await at("?page=2&sort=name");
    assertEquals(second.length, 8);
    assertEquals((await browser.get(`${list}?sort=<b>&page=x&period=y&state=z`)).status, 200);
  },
);

testConsole(
  "upstreams: the list and the page show the calls of the day, and the last error",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample());
    for (const n of [1, 2, 3]) {
      await addCall(store, { id: `req_a${n}`, upstreamId: "vendor", firstByteMs: 400 });
    }
    await addCall(store, {
      id: "req_failed",
      atMs: nowMs - 30_000,
      upstreamId: "vendor",
      status: 502,
      outcome: "upstream_error",
      errorCode: "upstream_timeout",
    });
    await addCall(store, { id: "req_old", atMs: nowMs - 40 * 3_600_000, upstreamId: "vendor" });
    const browser = await console.signedIn(administrator);
    const day = await browser.get(list);
    assertStringIncludes(textOf(day.html), "75%");
    assertStringIncludes(day.html, 'aria-label="1 of 24 hours with errors"');
    const { html } = await browser.get(`${list}/vendor`);
    const text = textOf(html);
    assertStringIncludes(text, "Success, 24 hours 75% First byte, 24 hours");
    assertStringIncludes(text, "Calls, 24 hours 4 0 in progress");
    assertStringIncludes(text, "1 of 4 calls failed in 24 hours.");
    assertStringIncludes(html, 'aria-label="Nov 21, 08:00: 4"');
    assertStringIncludes(text, "Timed out");
    assertStringIncludes(html, "/console/log/req_failed");
    const firstByte = await browser.get(`${list}/vendor?by=firstByte`);
    assertStringIncludes(firstByte.html, 'class="line data-3 dashed"');
    const cost = textOf((await browser.get(`${list}/vendor?by=cost`)).html);
    assertStringIncludes(cost, "Spend per hour");
  },
);

testConsole(
  "upstreams: what is out of one is named: a credential, a model, calls now",
  async (console) => {
    const { store } = console;
    const { health } = withGateway(console);
    const upstream = sample({ credentials: ["one-key", "other-key"] });
    await createUpstream(store, upstream);
    const [refused, good] = credentialsOf(upstream);
    const way = { upstream, upstreamModel: "gpt-5", format: "chat-completions" } as const;
    const unauthorized = new GatewayError("upstream_unauthorized", "No", { upstreamStatus: 401 });
    health.begin({ ...way, credential: refused })?.ended(unauthorized);
    health.begin({ ...way, credential: good });
    const browser = await console.signedIn(administrator);
    assertStringIncludes(textOf((await browser.get(list)).html), "vendor Degraded");
    const page = await browser.get(`${list}/vendor`);
    const text = textOf(page.html);
    assertStringIncludes(text, `Credential ${refused.id} is rejected`);
    assertStringIncludes(text, `Next steps Replace credential ${refused.id}.`);
    assertStringIncludes(text, "Credentials 2 keys, 1 rejected");
    assertStringIncludes(text, "1 in progress");
    assertStringIncludes(page.html, 'aria-current="step"');
    assertEquals(listed((await browser.get(`${list}?state=degraded`)).html), ["vendor"]);
  },
);

testConsole(
  "upstreams: priority and weight are changed in the list, and it is come back to",
  async (console) => {
    const { store } = console;
    withGateway(console);
    await createUpstream(store, sample({ id: "a", priority: 5 }));
    await createUpstream(store, sample({ id: "b", priority: 3 }));
    const browser = await console.signedIn(administrator);
    const back = `${list}?sort=name`;
    const order = { back, priority: "7", weight: "4" };
    assertRedirect(await browser.post(`${list}/b/order`, order), `${back}&done=ordered`);
    const changed = await getUpstream(store, "b");
    assertEquals([changed?.priority, changed?.weight], [7, 4]);
    assertEquals((await entries(store))[0].changes.map(({ field }) => field), [
      "priority",
      "weight",
    ]);
    await browser.post(`${list}/b/order`, { move: "later" });
    assertEquals((await getUpstream(store, "b"))?.priority, 5);
    await browser.post(`${list}/b/order`, { priority: "high", weight: "1" });
    assertEquals((await getUpstream(store, "b"))?.weight, 4);
    assertEquals((await entries(store)).length, 2);
    const evil = await browser.post(`${list}/b/order`, { ...order, back: "//evil.example" });
    assertRedirect(evil, `${list}?done=ordered`);
  },
);

Deno.test("movedPriority joins the next group of equals, or begins one at the end", () => {
  const some = [["a", 5], ["b", 3], ["c", 3]].map(([id, priority]) => ({
    id: String(id),
    priority: Number(priority),
  }));
  const [a, b] = some;
  assertEquals(movedPriority(b, some, "earlier"), 5);
  assertEquals(movedPriority(b, some, "later"), 2);
  assertEquals(movedPriority(a, some, "later"), 3);
  assertEquals(movedPriority(a, some, "earlier"), undefined);
});

testConsole("upstreams: a copy begins with all but the name and the keys", async (console) => {
  const { store } = console;
  withGateway(console);
  const auth = { header: "x-api-key", prefix: "Key " };
  const timeouts = { connectMs: 2_500, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 };
  await createUpstream(store, sample({ weight: 7, auth, timeouts }));
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`${list}/new?from=vendor`);
  for (const value of ["https://203.0.114.9/v1", "x-api-key", "2.5"]) {
    assertStringIncludes(html, `value="${value}"`);
  }
  assert(!html.includes("up-secret"));
  assertStringIncludes(textOf(html), "Copy of vendor. Keys are not copied");
});

testConsole(
  "upstreams: a model that is out of service alone gets advice, one with a fallback does not",
  async (console) => {
    const { store, directory } = console;
    const { health } = withGateway(console);
    const models = [{ id: "gpt-5" }, { id: "gpt-5-mini" }];
    const upstream = sample({ models });
    await createUpstream(store, upstream);
    await createUpstream(store, sample({ id: "other", models: [{ id: "gpt-5" }] }));
    await directory.refresh();
    const [credential] = credentialsOf(upstream);
    const limited = new GatewayError("rate_limit_exceeded", "Slow down", { upstreamStatus: 429 });
    for (const upstreamModel of ["gpt-5", "gpt-5-mini"]) {
      const way = { upstream, upstreamModel, format: "chat-completions", credential } as const;
      for (let n = 0; n < 5; n++) health.begin(way)?.ended(limited);
    }
    const browser = await console.signedIn(administrator);
    const text = textOf((await browser.get(`${list}/vendor`)).html);
    assertStringIncludes(
      text,
      "Next steps Give gpt-5-mini a fallback. No other upstream serves it.",
    );
    assert(!text.includes("Give gpt-5 a fallback"));
  },
);

testConsole(
  "upstreams: a failure of the last hour gets advice, also after a restart",
  async (console) => {
    const { store, directory } = console;
    withGateway(console);
    await createUpstream(store, sample());
    await directory.refresh();
    const call = {
      upstreamId: "vendor",
      model: "gpt-5",
      outcome: "upstream_error",
      errorCode: "rate_limit_exceeded",
      status: 429,
    } as const;
    const browser = await console.signedIn(administrator);
    const page = async () => textOf((await browser.get(`${list}/vendor`)).html);
    await addCall(store, { ...callIdAt(2 * 3_600_000, 1), ...call });
    assert(!(await page()).includes("Give gpt-5 a fallback."));
    await addCall(store, { ...callIdAt(60_000, 2), ...call });
    assertStringIncludes(await page(), "Next steps Give gpt-5 a fallback.");
  },
);
