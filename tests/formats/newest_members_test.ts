import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { type Conversion, convertedAnswer, convertedRequest } from "./shapes/conversion.ts";
import { wholeAnswers } from "../e2e/responses/whole_answers.ts";
import { streamOf } from "./answers/streams.ts";

/**
 * Members, items and events of the SDKs of November 2026 (openai 7.59.0, @anthropic-ai/sdk 1.14.0, @google/genai
 * 3.3.0), row by row: kept in the same format, and converted, noted or refused in every other.
 */

type Fate = "converted" | "noted" | "refused" | "harmless";

interface Row {
  readonly name: string;
  readonly from: FormatName;
  /** Members of the body that are added to a plain one. */
  readonly adds: JsonObject;
  /** The fate in every other format, or in each. */
  readonly fate: Fate | Partial<Record<FormatName, Fate>>;
}

const tool = (one: JsonObject): JsonObject => ({ tools: [one] });
const ask = (content: JsonValue, more: JsonObject = {}) => ({
  messages: [{ role: "user", content, ...more }],
});
const part = (more: JsonObject) => ({
  contents: [{ role: "user", parts: [{ text: "Hi", ...more }] }],
});
const setting = (more: JsonObject) => ({ generationConfig: more });

const requests: readonly Row[] = [
  ...([
    ["access_programs", { cyber: "standard" }],
    ["background_options", { timeout: 5 }],
    ["image", { context_compression: "enabled" }],
    ["moderation", { model: "omni" }],
    ["truncation", "auto"],
  ] as const).map(([name, value]): Row => ({
    name,
    from: "responses",
    adds: { [name]: value },
    fate: "noted",
  })),
  {
    name: "prompt_cache_options.comparison_response_id",
    from: "responses",
    adds: { prompt_cache_options: { mode: "implicit", comparison_response_id: "resp_1" } },
    fate: "noted",
  },
  {
    name: "reasoning.context",
    from: "responses",
    adds: { reasoning: { effort: "low", context: "all_turns" } },
    fate: "noted",
  },
  {
    name: "tools[].allowed_callers",
    from: "responses",
    adds: tool({
      type: "function",
      name: "shell",
      parameters: { type: "object", properties: {} },
      allowed_callers: ["programmatic"],
    }),
    fate: "noted",
  },
  {
    name: "tools[].async",
    from: "responses",
    adds: tool({
      type: "function",
      name: "shell",
      parameters: { type: "object", properties: {} },
      async: true,
    }),
    fate: "noted",
  },
  {
    name: "configuration_update",
    from: "responses",
    adds: {
      input: [
        { role: "user", content: "Hi" },
        { type: "configuration_update", reasoning: { effort: "high" } },
        { role: "user", content: "Go" },
      ],
    },
    fate: "noted", // and applied to the whole request
  },
  {
    name: "audio",
    from: "chat-completions",
    adds: { audio: { voice: "ash", format: "wav" } },
    fate: "noted",
  },
  {
    name: "moderation",
    from: "chat-completions",
    adds: { moderation: { model: "o" } },
    fate: "noted",
  },
  {
    name: "messages[].name",
    from: "chat-completions",
    adds: ask("Hi", { name: "ada" }),
    fate: "noted",
  },
  ...([
    ["billing_policy", { type: "billing_policy", bill_to: "self" }],
    ["container", { id: "c_1", skills: [] }],
    ["diagnostics", { previous_message_id: "msg_1" }],
    ["fallbacks", [{ model: "claude-sonnet-5" }]],
    ["fallback_credit_token", "fct"],
    ["inference_geo", "us"],
    ["speed", "fast"],
    ["user_profile_id", "up_1"],
    ["workspace_id", "ws_1"],
    ["safeguards", { level: "x" }],
  ] as const).map(([name, value]): Row => ({
    name,
    from: "messages",
    adds: { [name]: value as JsonValue },
    fate: "noted",
  })),
  {
    name: "thinking.block_binding",
    from: "messages",
    adds: { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop" } } },
    fate: "noted",
  },
  {
    name: "image transformations",
    from: "messages",
    adds: ask([{
      type: "image",
      source: { type: "url", url: "https://x.test/a.png" },
      transformations: [{ type: "resize" }],
    }]),
    fate: "noted",
  },
  ...["browser_20260801", "computer_20260801"].map((type): Row => ({
    name: type,
    from: "messages",
    adds: tool({ type, name: "screen", toolset_name: "desk" }),
    fate: "noted",
  })),
  {
    name: "thread",
    from: "messages",
    adds: { thread: { type: "create" } },
    fate: "refused",
  },
  ...[
    "routingConfig",
    "modelSelectionConfig",
    "audioTranscriptionConfig",
    "mediaResolution",
    "speechConfig",
    "imageConfig",
    "generationOutputConfig",
    "continuationToken",
    "automaticContinuation",
    "enableEnhancedCivicAnswers",
  ].map((name): Row => ({
    name,
    from: "generate-content",
    adds: setting({ [name]: "value" }),
    fate: "noted",
  })),
  {
    name: "modelArmorConfig",
    from: "generate-content",
    adds: { modelArmorConfig: { promptTemplateName: "p" } },
    fate: "noted",
  },
  ...[
    "exaAiSearch",
    "parallelAiSearch",
    "enterpriseWebSearch",
    "googleMaps",
    "retrieval",
    "computerUse",
    "fileSearch",
  ].map((name): Row => ({
    name: `tools[].${name}`,
    from: "generate-content",
    adds: tool({ [name]: { setting: "s" } }),
    fate: "noted",
  })),
  ...["partMetadata", "mediaProcessing", "speechMetadata", "videoMetadata"].map((name): Row => ({
    name: `parts[].${name}`,
    from: "generate-content",
    adds: part({ [name]: { key: "value" } }),
    fate: "noted",
  })),
  {
    name: "thinkingLevel XHIGH",
    from: "generate-content",
    adds: setting({ thinkingConfig: { thinkingLevel: "XHIGH" } }),
    fate: "converted",
  },
  {
    name: "cachedContent",
    from: "generate-content",
    adds: { cachedContent: "cachedContents/c" },
    fate: "refused",
  },
  // tomorrow's: a part of a prompt is refused, because the model would answer without it
  { name: "an unknown member", from: "responses", adds: { of_tomorrow: { a: 1 } }, fate: "noted" },
  {
    name: "an unknown item",
    from: "responses",
    adds: { input: [{ role: "user", content: "Hi" }, { type: "of_tomorrow", text: "x" }] },
    fate: "noted",
  },
  {
    name: "an unknown part",
    from: "chat-completions",
    adds: ask([{ type: "text", text: "Hi" }, { type: "of_tomorrow", of_tomorrow: "x" }]),
    fate: "refused",
  },
  {
    name: "an unknown block",
    from: "messages",
    adds: ask([{ type: "text", text: "Hi" }, { type: "of_tomorrow", data: "x" }]),
    fate: "refused",
  },
  {
    name: "an unknown part",
    from: "generate-content",
    adds: { contents: [{ role: "user", parts: [{ text: "Hi" }, { ofTomorrow: { a: "x" } }] }] },
    fate: "refused",
  },
  {
    name: "an unknown tool",
    from: "responses",
    adds: tool({ type: "of_tomorrow", setting: "s" }),
    fate: "noted",
  },
];

const plain = {
  "chat-completions": { model: "m", messages: [{ role: "user", content: "Hi" }] },
  responses: { model: "m", input: [{ role: "user", content: "Hi" }] },
  messages: { model: "m", max_tokens: 99, messages: [{ role: "user", content: "Hi" }] },
  "generate-content": { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
} as const satisfies Record<FormatName, JsonObject>;

/** The fate of an addition: a refusal, a new note, another body, or nothing. */
function fateOf(added: Conversion, without: Conversion): Fate {
  if (added.code !== undefined) return "refused";
  if (added.notes.some((note) => !without.notes.includes(note))) return "noted";
  return JSON.stringify(added.sent) === JSON.stringify(without.sent) ? "harmless" : "converted";
}

function wanted({ fate }: Pick<Row, "fate">, to: FormatName): Fate | undefined {
  return typeof fate === "string" ? fate : fate[to];
}

function othersThan(from: FormatName): FormatName[] {
  return formatNames.filter((name) => name !== from);
}

for (const row of requests) {
  const { name, from, adds } = row;
  const body = { ...plain[from], ...adds };
  Deno.test(`newest request: ${name} of ${from} is kept in its own format`, () => {
    const wire = { path: "/models/m:generateContent", search: {}, headers: {}, body };
    if (name === "thread") return; // the gateway resolves it
    const { wire: sent } = encodeAtOnce(codecs[from], codecs[from].decodeRequest(wire));
    for (const word of wordsIn(adds)) {
      assert(JSON.stringify(sent.body).includes(word), `${word}: ${JSON.stringify(sent.body)}`);
    }
  });
  Deno.test(`newest request: ${name} of ${from} in other formats`, () => {
    const others = othersThan(from);
    const fates = others.map((to) => [
      to,
      fateOf(convertedRequest(body, from, to), convertedRequest(plain[from], from, to)),
    ]);
    assertEquals(fates, others.map((to) => [to, wanted(row, to)]));
  });
}

/** The names and texts in a value. */
function wordsIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) => [name, ...wordsIn(inner)]);
  }
  return typeof value === "string" ? [value] : [];
}

const answers: readonly Row[] = [
  ...([
    ["access_programs", { cyber: "standard" }],
    ["image", { context_compression: "enabled" }],
    ["moderation", { flagged: true }],
    ["input_transformations", [{ id: "rs_4", type: "reasoning", action: "removed" }]],
    ["prompt_cache_diagnostics", { type: "cache_miss", reason: "tools_changed" }],
  ] as const).map(([name, value]): Row => ({
    name,
    from: "responses",
    adds: { [name]: value as JsonValue },
    fate: "noted",
  })),
  {
    name: "moderation",
    from: "chat-completions",
    adds: { moderation: { flagged: true } },
    fate: "noted",
  },
  { name: "metadata", from: "chat-completions", adds: { metadata: { team: "a" } }, fate: "noted" },
  {
    name: "system_fingerprint",
    from: "chat-completions",
    adds: { system_fingerprint: "fp" },
    fate: "noted",
  },
  {
    name: "fallback block",
    from: "messages",
    adds: {
      content: [
        { type: "text", text: "Hi there" },
        {
          type: "fallback",
          from: { model: "a" },
          to: { model: "b" },
          trigger: { type: "refusal" },
        },
      ],
    },
    fate: "noted",
  },
  {
    name: "mcp_tool_listing",
    from: "messages",
    adds: {
      content: [{ type: "text", text: "Hi there" }, { type: "mcp_tool_listing", server_name: "s" }],
    },
    fate: "noted",
  },
  {
    name: "container_upload",
    from: "messages",
    adds: {
      content: [{ type: "text", text: "Hi there" }, { type: "container_upload", file_id: "f" }],
    },
    fate: "noted",
  },
  {
    name: "input_transformations",
    from: "messages",
    adds: { input_transformations: [{ type: "thinking_dropped", path: "p" }] },
    fate: "noted",
  },
  {
    name: "diagnostics",
    from: "messages",
    adds: { diagnostics: { cache_miss_reason: { type: "tools_changed" } } },
    fate: "noted",
  },
  {
    name: "usage.inference_geo",
    from: "messages",
    adds: { usage: { input_tokens: 1, output_tokens: 1, inference_geo: "us" } },
    fate: "noted",
  },
  {
    name: "modelStatus",
    from: "generate-content",
    adds: { modelStatus: { message: "x" } },
    fate: "noted",
  },
  ...(["citationMetadata", "urlContextMetadata", "safetyRatings"] as const).map((name): Row => ({
    name,
    from: "generate-content",
    adds: {
      candidates: [{
        content: { role: "model", parts: [{ text: "Hi there" }] },
        finishReason: "STOP",
        index: 0,
        [name]: name === "safetyRatings"
          ? [{ category: "HARM_CATEGORY_HARASSMENT", probability: "HIGH", blocked: true }]
          : name === "citationMetadata"
          ? { citationSources: [{ uri: "https://x.test" }] }
          : { urlMetadata: [{ retrievedUrl: "https://x.test" }] },
      }],
    },
    fate: "noted",
  })),
  ...["MODEL_ARMOR", "ESCALATION", "PUP_LIMITED_DISABLED"].map((reason): Row => ({
    name: reason,
    from: "generate-content",
    adds: {
      candidates: [{
        content: { role: "model", parts: [{ text: "Hi there" }] },
        finishReason: reason,
        index: 0,
      }],
    },
    fate: "noted",
  })),
  { name: "an unknown member", from: "messages", adds: { of_tomorrow: { a: "x" } }, fate: "noted" },
];

for (const row of answers) {
  const { name, from, adds } = row;
  for (const form of ["whole", "streamed"]) {
    Deno.test(`newest answer: ${name} of ${from}, ${form}, in other formats`, () => {
      const others = othersThan(from);
      const sent = (wire: JsonObject) => ({
        from,
        wire: form === "whole" ? wire : streamOf[from](wire),
      });
      const fates = others.map((to) => [
        to,
        fateOf(
          convertedAnswer(sent({ ...wholeAnswers[from], ...adds }), to),
          convertedAnswer(sent(wholeAnswers[from]), to),
        ),
      ]);
      assertEquals(fates, others.map((to) => [to, wanted(row, to)]));
    });
  }
}

/** Events that a stream may hold beside those of its items. */
const events = [
  "response.compaction.compacting",
  "response.shell_call_command.added",
  "response.shell_call_command.delta",
  "response.shell_call_command.done",
  "response.shell_call_output_content.delta",
  "response.shell_call_output_content.done",
  "response.of_tomorrow",
  "of_tomorrow",
];

/** An event that no format has, as each format would frame it. */
const unknownEvent: Readonly<Record<FormatName, (type: string) => JsonObject>> = {
  "chat-completions": (type) => ({ id: "c", object: type, choices: [], of_tomorrow: { type } }),
  responses: (type) => ({ type, output_index: 7, item_id: "x", delta: "d" }),
  messages: (type) => ({ type, index: 7, delta: { type, text: "d" } }),
  "generate-content": (type) => ({ ofTomorrow: { type } }),
};

Deno.test("newest events: one of tomorrow, anywhere in a stream, breaks no other format", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...formatNames),
      fc.constantFrom(...formatNames),
      fc.oneof(fc.constantFrom(...events), fc.stringMatching(/^[a-z_.]{1,20}$/)),
      fc.nat(),
      (from, to, type, seed) => {
        if (from === to) return;
        const plain = [...streamOf[from](wholeAnswers[from])];
        const place = 1 + seed % (plain.length - 1); // the first one opens the answer
        const wire = plain.toSpliced(place, 0, unknownEvent[from](type))
          .map((one, at) => from === "responses" ? { ...one, sequence_number: at } : one);
        const { code, sent } = convertedAnswer({ from, wire }, to);
        assertEquals(code, undefined);
        assert(JSON.stringify(sent).includes('"Hi there"'), JSON.stringify(sent));
      },
    ),
    { numRuns: 400, seed: 20_261_130 },
  );
});
