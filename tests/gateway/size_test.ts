import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Caller } from "../../lib/accounts/authorize.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type TokenBucket,
} from "../../lib/canonical/mod.ts";
import { relayedEndpoint } from "../../lib/formats/relayed/mod.ts";
import { estimateLong, sizeOf } from "../../lib/gateway/size.ts";
import type { Decoded } from "../../lib/http/decode.ts";
import { readRelayedBody } from "../../lib/http/relayed.ts";
import type { Candidate } from "../../lib/upstreams/upstream.ts";

const words = [
  ..."web_search websearch Google_Search googleSearch web_fetch url_context urlContext code_execution"
    .split(" "),
  ..."codeExecution code_interpreter file_search fileSearch web search additional_tools".split(" "),
  ..."cache_control prompt_cache_breakpoint prompt_cache_options prompt_cache_key 30m 1h 12h 2h"
    .split(" "),
  ..."input_audio image_url \\u0041 \\ İmage brea\u212apoint text".split(" "),
];
const word = fc.oneof(fc.constantFrom(...words), fc.constantFrom("text", "hello"));
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    word,
    fc.nat(),
    fc.constantFrom(true, null),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(word, tie("value"), { maxKeys: 2 }),
  ),
})).value;
const tool = fc.dictionary(
  fc.oneof(word, fc.constantFrom("type", "function", "parameters", "functionDeclarations")),
  value,
  { maxKeys: 2 },
).chain((tool) => fc.constantFrom(tool, { ...tool, max_uses: 3 }));
const body = fc.record({
  model: fc.constant("m"),
  messages: fc.array(value, { maxLength: 2 }),
  input: value,
  tools: fc.oneof(fc.array(tool, { maxLength: 3 }), value),
  settings: fc.oneof(fc.constant({}), fc.dictionary(word, value, { maxKeys: 1 })),
}, { requiredKeys: ["model", "settings"] }).map(({ settings, ...body }) => ({
  ...body,
  ...settings,
}));
/** A body's text, in which some letters may be escaped. */
const written = fc.tuple(body, fc.constantFrom("", "", "", "a", "_", "1", "e")).map((
  [body, escaped],
) => {
  const text = JSON.stringify(body);
  if (escaped === "") return text;
  const escape = `\\u${escaped.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (one) => one.replace(escaped, escape));
}).filter(isJson);

Deno.test("size: hosted tool calls and unused buckets equal a search for every word", () => {
  fc.assert(
    fc.property(written, fc.boolean(), (text, isForm) => {
      const body: JsonObject = JSON.parse(text);
      const decoded = decodedAs(body, isForm ? "" : text);
      const { hostedToolCalls, unused } = sizeOf(decoded, []);
      const lower = decoded.read.text.toLowerCase();
      assertEquals(hostedToolCalls, searchedCalls(body, lower));
      assertEquals(unused, searchedUnused(lower));
    }),
    { numRuns: 3_000 },
  );
});

/** Longer than bodies whose size is computed in one step. */
const longPadding = "lorem ipsum ".repeat(50_000);

Deno.test("size: a long body's hosted tool calls and unused buckets are those of a short one", async () => {
  await fc.assert(
    fc.asyncProperty(written, async (text) => {
      const { hostedToolCalls, unused } = sizeOf(decodedAs(JSON.parse(text), text), []);
      const long = text.replace("{", `{"user":"${longPadding}",`);
      const found = await estimateLong(limited, decodedAs(JSON.parse(long), long), []);
      assertEquals(found, { alternatives: 1, hostedToolCalls, unused });
    }),
    { numRuns: 150 },
  );
});

/** A caller whose calls are estimated. */
const limited = { key: { limits: { tokensPerMinute: 1 } }, group: {}, account: {} } as Caller; // sound: only the limits are read

Deno.test("size: a model whose name says image may make images, whatever the request says", () => {
  const decoded = decodedAs({ model: "m", messages: [] }, '{"model":"m","messages":[]}');
  const ofModel = (upstreamModel: string) =>
    sizeOf(decoded, [{ upstreamModel } as Candidate]).unused ?? []; // sound: only the name is read
  assert(ofModel("plain").includes("imageOutputTokens"));
  assert(!ofModel("flash-image").includes("imageOutputTokens"));
  assert(ofModel("flash-image").includes("audioOutputTokens"));
});

const limits = {
  ...{ bodyBytesMax: 1e6, formBytesMax: 1e6, bodyTimeoutMs: 10_000 },
  ...{ nestingMax: 100, containersMax: 100_000, membersMax: 250_000, valuesMax: 500_000 },
};

Deno.test("size: all of a relayed body is searched, since any of its texts may be a medium", async () => {
  const input = ["words ".repeat(100) + "data:image/png;base64," + "A".repeat(9_000)];
  const request = new Request("http://x/v1/embeddings", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", input }),
  });
  const embeddings = relayedEndpoint("embed");
  assert(embeddings);
  const { read } = await readRelayedBody(request, embeddings, { limits });
  const decoded = { ...decodedAs(read.body, ""), read };
  assert(!sizeOf(decoded, []).unused?.includes("imageInputTokens"));
});

function decodedAs(body: JsonObject, text: string): Decoded {
  return {
    wire: { path: "/chat/completions", search: {}, headers: {}, body },
    read: { text, body },
    envelope: { model: "m", stream: false, alternatives: 1, framing: "sse" },
    canonical: () => {
      throw new Error("The size of a call does not depend on its canonical form");
    },
  };
}

function isJson(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

const toolNames = [
  "web_search",
  "websearch",
  "google_search",
  "googlesearch",
  "web_fetch",
  "url_context",
  "urlcontext",
  "code_execution",
  "codeexecution",
  "code_interpreter",
  "file_search",
  "filesearch",
];
const spelledOut = /\\u00[3-7][0-9a-f]/;

function searchedCalls(body: JsonObject, text: string): number {
  const names = (text: string) =>
    toolNames.some((name) => text.includes(name)) || spelledOut.test(text);
  const named = (value: unknown) => names(JSON.stringify(value).toLowerCase());
  if (!names(text)) return 0;
  if (text.includes("additional_tools")) return 8;
  const contents =
    "messages contents input instructions system systemInstruction system_instruction";
  const settings = Object.entries(body)
    .filter(([name]) => name !== "tools" && !contents.split(" ").includes(name));
  if (named(Object.fromEntries(settings))) return 8;
  const tools = Array.isArray(body.tools) ? body.tools : [body.tools ?? null];
  return tools.flatMap((tool): JsonValue[] => {
    if (!isJsonObject(tool)) return [tool];
    if (["function", "input_schema", "parameters"].some((name) => name in tool)) return [];
    const { functionDeclarations: _, function_declarations: __, ...hosted } = tool;
    return [hosted];
  }).filter(named).reduce((sum: number, tool) => {
    const uses = isJsonObject(tool) ? tool.max_uses : undefined;
    return sum + (typeof uses === "number" ? uses : 8);
  }, 0);
}

function searchedUnused(text: string): TokenBucket[] {
  if (spelledOut.test(text)) return [];
  const buckets: readonly (readonly [RegExp, readonly TokenBucket[]])[] = [
    [
      /cache_control|prompt_cache_(?:breakpoint|options)/,
      ["cacheWrite5mTokens", "cacheWrite1hTokens", "cacheWrite12hTokens"],
    ],
    [/"(?:30m|1h|12h)"/, ["cacheWrite1hTokens"]],
    [/"(?:1|12)h"/, ["cacheWrite12hTokens"]],
    [/audio/, ["audioInputTokens", "audioOutputTokens"]],
    [/image/, ["imageInputTokens", "imageOutputTokens"]],
  ];
  return buckets.flatMap(([word, unused]) => word.test(text) ? [] : unused);
}
