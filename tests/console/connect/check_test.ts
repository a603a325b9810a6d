import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkView, findingOf, type FindingScene } from "../../../lib/console/connect/findings.ts";
import { catalogs } from "../../../lib/console/i18n/mod.ts";
import { formatsFor } from "../../../lib/console/page/format.ts";
import {
  lacksVersion,
  suggestedBaseUrl,
  typedTwice,
} from "../../../lib/http/suggested_base_url.ts";
import { addArrivals } from "../../../lib/store/api_keys/connection_check.ts";
import { type ArrivedCall, listConnectionChecks } from "../../../lib/store/api_keys/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addKey } from "../records.ts";

const origin = "https://gateway.example";
const scene: FindingScene = {
  key: { id: "key_1", name: "prod-api", status: "active" },
  origin,
  catalog: catalogs.en,
  formats: formatsFor({ locale: "en", timeZone: "UTC", nowMs }),
};

const call: ArrivedCall = {
  id: "req_1",
  atMs: nowMs,
  method: "POST",
  path: "/v1/chat/completions",
  format: "chat-completions",
  operation: "generate",
  carried: "key",
  model: "acme-large",
};

Deno.test("finding: an endpoint that is passed on was answered by its model too", () => {
  const { tone, title } = findingOf({ ...call, operation: "embed" }, scene);
  assertEquals([tone, title.includes("acme-large"), title.includes("Embeddings")], [
    "ok",
    true,
    true,
  ]);
});

for (
  const [path, base] of [
    ["/v1/v1/chat/completions", ""],
    ["/v1/chat/completions/chat/completions", "/v1"],
    ["/v1/chat/completions/v1/chat/completions", ""],
    ["/v1/responses/responses", "/v1"],
    ["/v1/v1/messages", ""],
    ["/v1/v1/messages/count_tokens", ""],
    ["/messages", "/v1"],
    ["/chat/completions", "/v1"],
    ["/api/v1/chat/completions", "/v1"],
    ["/v1beta/v1beta/models/acme:generateContent", ""],
    ["/models/acme:streamGenerateContent", "/v1beta"],
    ["/v1/v1/models", ""],
  ] as const
) {
  Deno.test(`base URL: a call of ${path} wants {base_url}${base}`, () => {
    assertEquals(suggestedBaseUrl(origin, path), origin + base);
  });
}

Deno.test("base URL: a version that is there twice may have been typed so", () => {
  assertEquals(typedTwice(origin, "/v1/v1/responses"), `${origin}/v1`);
  assertEquals(typedTwice(origin, "/v1beta/v1beta/models/a:generateContent"), `${origin}/v1beta`);
  assertEquals(typedTwice(origin, "/v1/v1/messages"), undefined);
  assertEquals(typedTwice(origin, "/v1/responses/responses"), undefined);
});

Deno.test("base URL: what ends in no route suggests none", () => {
  assertEquals(suggestedBaseUrl(origin, "/v1/nothing"), undefined);
  assertEquals(suggestedBaseUrl(origin, `${"/v1".repeat(60)}/x`), undefined);
  assertEquals([lacksVersion("/responses"), lacksVersion("/v1/responses")], [true, false]);
});

for (
  const { name, arrival, title, tone = "bad", text = "", key = {} } of [
    {
      name: "an answer",
      arrival: {},
      title: "acme-large answered in the Chat completions",
      tone: "ok",
    },
    {
      name: "a list of models",
      arrival: { operation: "list-models", method: "GET", path: "/v1/models" },
      title: "The client listed the models",
      tone: "note",
    },
    {
      name: "another key",
      arrival: { carried: "other-key", keyName: "old-laptop" },
      title: "another of your keys: old-laptop",
      tone: "note",
    },
    {
      name: "a doubled path",
      arrival: { path: "/v1/v1/chat/completions", errorCode: "duplicated_path_segment" },
      title: "the call went to /v1/v1/chat/completions",
      text: "or https://gateway.example/v1 if you typed the version twice.",
    },
    {
      name: "a doubled route",
      arrival: {
        path: "/v1/chat/completions/chat/completions",
        errorCode: "duplicated_path_segment",
      },
      title: "has an extra path segment",
      text: "Use this base URL",
    },
    {
      name: "the console's own call",
      arrival: { userAgent: "Tessera console" },
      title: "acme-large answered",
      tone: "ok",
      text: "This was the test call from this page",
    },
    {
      name: "a path without its version",
      arrival: { path: "/chat/completions", errorCode: "unknown_endpoint" },
      title: "is missing /v1: the call went to /chat/completions",
    },
    {
      name: "an unknown path",
      arrival: { path: "/v1/nothing", errorCode: "unknown_endpoint" },
      title: "No endpoint at /v1/nothing",
    },
    {
      name: "no key",
      arrival: { carried: "none", errorCode: "invalid_api_key" },
      title: "had no API key",
    },
    {
      name: "the placeholder",
      arrival: { carried: "placeholder", errorCode: "invalid_api_key" },
      title: "still uses YOUR_KEY",
    },
    {
      name: "a part of the key",
      arrival: { carried: "lookalike", errorCode: "invalid_api_key" },
      title: "similar to prod-api, but not the same",
    },
    {
      name: "a key of nobody",
      arrival: { carried: "unknown", errorCode: "invalid_api_key" },
      title: "Unknown API key",
    },
    {
      name: "a disabled key",
      arrival: { errorCode: "invalid_api_key" },
      key: { status: "disabled" },
      title: "prod-api is disabled",
    },
    {
      name: "an expired key",
      arrival: { errorCode: "invalid_api_key" },
      key: { status: "expired" },
      title: "prod-api has expired",
    },
    {
      name: "a forbidden address",
      arrival: { errorCode: "ip_not_allowed" },
      title: "does not allow the IP address of this call",
    },
    {
      name: "a model outside the group",
      arrival: { errorCode: "model_not_allowed" },
      title: "may not use model acme-large",
    },
    {
      name: "an unknown model",
      arrival: { errorCode: "model_not_found" },
      title: "acme-large is not available on this gateway",
    },
    {
      name: "a format outside the group",
      arrival: { errorCode: "format_not_allowed" },
      title: "may not use the Chat completions format",
    },
    {
      name: "an agent in another format than its own",
      arrival: { userAgent: "codex_cli_rs/0.169.0 (Debian)" },
      title: "Codex called the Chat completions format instead of its own",
      text: "Choose its own format, Responses",
    },
    {
      name: "an empty wallet",
      arrival: { errorCode: "insufficient_quota", limit: "account balance" },
      title: "Balance exhausted",
    },
    {
      name: "a budget",
      arrival: { errorCode: "insufficient_quota", limit: "key daily budget" },
      title: "Budget exhausted: key daily budget",
    },
    {
      name: "a rate limit",
      arrival: { errorCode: "rate_limit_exceeded", limit: "key requests per minute" },
      title: "Rate limited: key requests per minute",
    },
    {
      name: "an upstream that fails",
      arrival: { errorCode: "upstream_unreachable" },
      title: "The upstream failed",
      text: "could not connect to the upstream",
    },
    {
      name: "a WebSocket",
      arrival: { errorCode: "websocket_unsupported" },
      title: "tried a WebSocket first",
      tone: "note",
    },
  ] as readonly {
    name: string;
    arrival: Partial<ArrivedCall>;
    title: string;
    tone?: string;
    text?: string;
    key?: Partial<FindingScene["key"]>;
  }[]
) {
  Deno.test(`finding: ${name}`, () => {
    const finding = findingOf({ ...call, ...arrival }, { ...scene, key: { ...scene.key, ...key } });
    assertStringIncludes(finding.title, title);
    assertStringIncludes(finding.text, text);
    assertEquals(finding.tone, tone);
    assertStringIncludes(finding.came ?? "", "Nov 21, 2026");
  });
}

Deno.test("check: an answer hides what failed before it, and not what fails after it", () => {
  const failed = { ...call, id: "req_0", errorCode: "model_not_found" } as const;
  assertEquals(checkView([failed], scene).connected, false);
  const view = checkView([failed, call, { ...failed, id: "req_2" }], scene);
  assertEquals([view.connected, view.findings.map(({ id }) => id)], [true, ["req_2", "req_1"]]);
  const other = checkView([{ ...call, carried: "other-key", keyName: "x" }], scene);
  assertEquals(other.connected, false);
});

testConsole("check: events of one's own key, from when the page was opened", async (console) => {
  const { store } = console;
  const key = await addKey(store, { id: "key_1", name: "prod-api" });
  const before = { ...call, id: "req_0", atMs: nowMs - 1, errorCode: "model_not_found" } as const;
  await addArrivals(store, { accountId: "owner", keyId: key.id }, [before, call]);
  const browser = await console.signedIn(administrator);
  const response = await console.fetch(
    new Request(`http://localhost/console/connect/events?key=key_1&since=${nowMs}`, {
      headers: { cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") },
    }),
  );
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const [opened] = await listConnectionChecks(store);
  assertEquals([opened.keyId, opened.ip, opened.digests], ["key_1", "203.0.113.7", [key.digest]]);
  const view = JSON.parse(await firstEvent(response));
  assertEquals([view.connected, view.findings.length], [true, 1]);
});

testConsole("check: another account's key is as unknown as none", async (console) => {
  await addKey(console.store, { id: "key_1", name: "owners-key" });
  const browser = await console.signedIn(member);
  assertEquals((await browser.get("/console/connect/events?key=key_1")).status, 404);
  assertEquals(await listConnectionChecks(console.store), []);
  const page = await browser.get("/console/connect?key=key_1&since=1");
  assertEquals(page.status, 200);
  assert(!page.html.includes("owners-key"));
  assertEquals(await listConnectionChecks(console.store), []);
});

testConsole("check: without a script the page waits and loads itself again", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "prod-api" });
  const browser = await console.signedIn(administrator);
  const still = await browser.get("/console/connect?key=key_1");
  assertStringIncludes(textOf(still.html), "Not listening");
  assertStringIncludes(textOf(still.html), "Start listening");
  assert(!textOf(still.html).includes("Waiting for a call"), "nobody listens yet");
  assert(!still.html.includes('http-equiv="refresh"'));
  assertEquals(await listConnectionChecks(store), []);
  const path = `/console/connect?key=key_1&since=${nowMs}`;
  const waiting = await browser.get(path);
  assertStringIncludes(waiting.html, '<meta http-equiv="refresh" content="5"');
  assertStringIncludes(textOf(waiting.html), "Waiting for a call with prod-api…");
  assertEquals((await listConnectionChecks(store)).length, 1);
  const failed = { ...call, carried: "none", errorCode: "invalid_api_key" } as const;
  await addArrivals(store, { accountId: "owner", keyId: "key_1" }, [failed]);
  assertStringIncludes(textOf((await browser.get(path)).html), "The call had no API key");
  await addArrivals(store, { accountId: "owner", keyId: "key_1" }, [{ ...call, id: "req_9" }]);
  const connected = await browser.get(path);
  assertStringIncludes(textOf(connected.html), "Connected: a call with prod-api was answered");
  assert(!connected.html.includes('http-equiv="refresh"'));
});

testConsole("check: what is open is written anew only when it would end soon", async (console) => {
  const { store, directory, clock } = console;
  await addKey(store, { id: "key_1" });
  const browser = await console.signedIn(administrator);
  const path = `/console/connect?key=key_1&since=${nowMs}`;
  const endsAt = async () => (await listConnectionChecks(store))[0].expiresAtMs - nowMs;
  await browser.get(path);
  while (directory.checks.open(nowMs).length === 0) {
    await new Promise((next) => setTimeout(next, 5));
  }
  clock.nowMs = nowMs + 50_000;
  await browser.get(path);
  assertEquals(await endsAt(), 120_000);
  clock.nowMs = nowMs + 70_000;
  await browser.get(path);
  assertEquals(await endsAt(), 190_000);
});

testConsole("check: an account waits for a few keys at most", async (console) => {
  const browser = await console.signedIn(administrator);
  for (let n = 0; n < 6; n++) {
    await addKey(console.store, { id: `key_${n}`, name: `key-${n}` });
    console.clock.nowMs++;
    await browser.get(`/console/connect?key=key_${n}&since=${nowMs}`);
  }
  const open = (await listConnectionChecks(console.store)).map(({ keyId }) => keyId);
  assertEquals(open.sort(), ["key_2", "key_3", "key_4", "key_5"]);
});

async function firstEvent(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert(reader);
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += value ?? "";
    const data = /data: (.*)\n\n/.exec(text)?.[1];
    if (data === undefined && !done) continue;
    await reader.cancel();
    return data ?? "";
  }
}
