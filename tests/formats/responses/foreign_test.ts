import { assert, assertEquals } from "@std/assert";
import { type CanonicalRequest, type Part, type Tool } from "../../../lib/canonical/mod.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { encode, thrownBy } from "./wire.ts";

function inputOf(parts: readonly Part[], role: "user" | "assistant" = "assistant") {
  return encode({ turns: [{ role, parts }] });
}

Deno.test("encodeRequest sends a proof only to the vendor that issued it", () => {
  const proof = (issuer: "responses" | "messages"): Part => ({
    type: "reasoning",
    text: "t",
    visibility: "summary",
    continuation: { issuer, data: "d", itemId: "rs_1" },
  });
  const call: Part = { type: "tool-call", id: "c", name: "f", arguments: "{}", kind: "function" };
  const own = inputOf([proof("responses"), call]);
  assertEquals(own.body.input[0], {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "t" }],
    encrypted_content: "d",
  });
  const other = inputOf([proof("messages"), call]);
  assertEquals(other.body.input.length, 1);
  assertEquals(other.notes, ["turns[0].parts[0] dropped"]);
  // The vendor refuses trailing reasoning.
  assertEquals(inputOf([call, proof("responses")]).body.input.length, 1);
});

Deno.test("encodeRequest orders results before the user's words and says errors in words", () => {
  const { body, notes } = encode({
    turns: [
      {
        role: "assistant",
        parts: [
          { type: "tool-call", id: "a", name: "f", arguments: "{}", kind: "function" },
          { type: "tool-call", id: "b", name: "g", arguments: "x", kind: "custom" },
        ],
      },
      {
        role: "user",
        parts: [
          { type: "text", text: "and now" },
          {
            type: "tool-result",
            callId: "a",
            kind: "function",
            isError: true,
            parts: [{ type: "text", text: "not found" }],
          },
          {
            type: "tool-result",
            callId: "b",
            kind: "function",
            isError: false,
            parts: [{
              type: "image",
              source: { type: "base64", data: "AA==" },
              mediaType: "image/png",
            }],
          },
        ],
      },
    ],
  });
  assertEquals(body.input.slice(2), [
    { type: "function_call_output", call_id: "a", output: "Error: not found" },
    {
      type: "custom_tool_call_output",
      call_id: "b",
      output: [{ type: "input_image", image_url: "data:image/png;base64,AA==", detail: "auto" }],
    },
    { type: "message", role: "user", content: [{ type: "input_text", text: "and now" }] },
  ]);
  assertEquals(notes, ["turns[1].parts[1].isError emulated"]);
});

Deno.test("encodeRequest writes an empty output, as an absent one is refused", () => {
  const { body } = inputOf([
    { type: "tool-result", callId: "a", kind: "function", isError: false, parts: [] },
  ], "user");
  assertEquals(body.input, [{ type: "function_call_output", call_id: "a", output: "" }]);
});

Deno.test("encodeRequest replaces a call id that is too long, in the call and in its result", () => {
  const id = "x".repeat(69);
  const { body } = encode({
    turns: [
      {
        role: "assistant",
        parts: [{ type: "tool-call", id, name: "f", arguments: "", kind: "function" }],
      },
      {
        role: "user",
        parts: [{ type: "tool-result", callId: id, kind: "function", isError: false, parts: [] }],
      },
    ],
  });
  const [call, result] = body.input;
  assert(call.call_id.length <= 64 && call.call_id.startsWith("call_"));
  assertEquals(call.call_id, result.call_id);
  assertEquals(call.arguments, "{}");
});

const rich: Partial<CanonicalRequest> = {
  stream: true,
  instructions: [{ type: "text", text: "one" }, { type: "text", text: "two" }],
  turns: [
    {
      role: "user",
      parts: [
        { type: "text", text: "hi", cache: { ttl: "1h" } },
        { type: "image", source: { type: "url", url: "https://x.test/a.png" } },
        { type: "file", source: { type: "text", text: "é" }, mediaType: "text/plain" },
        { type: "file", source: { type: "file-id", id: "file_1", format: "chat-completions" } },
        { type: "native", format: "messages", value: { type: "search_result" } },
      ],
    },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "t", visibility: "raw" },
        { type: "text", text: "a", citations: [{ quote: "q" }] },
        { type: "refusal", text: "no" },
        { type: "audio", source: { type: "base64", data: "AA==" } },
        { type: "native", format: "messages", value: {} },
      ],
    },
    { role: "system", parts: [{ type: "text", text: "mid" }] },
  ],
  tools: [
    { type: "function", name: "f", cache: {} },
    {
      type: "function",
      name: "a.b:c",
      parameters: { type: "object", properties: { x: {} } },
      strict: true,
    },
    { type: "custom", name: "c", grammar: { syntax: "regex", definition: "x" } },
    {
      type: "hosted",
      kind: "web-search",
      allowedDomains: ["x.test"],
      blockedDomains: ["y.test"],
      maxUses: 3,
      searchContextSize: "high",
      userLocation: { country: "NO" },
      native: { format: "messages", fields: {} },
    },
    { type: "hosted", kind: "code-execution", native: { format: "messages", fields: {} } },
    { type: "hosted", kind: "url-fetch", native: { format: "messages", fields: {} } },
    { type: "native", format: "messages", value: { type: "bash_20250124" } },
  ] satisfies Tool[],
  toolChoice: { type: "any" },
  parallelToolCalls: false,
  output: { type: "schema", schema: { type: "object", properties: {} } },
  sampling: {
    temperature: 0.5,
    topK: 3,
    stopSequences: ["x"],
    seed: 1,
    presencePenalty: 1,
    frequencyPenalty: 1,
    logitBias: { 1: 1 },
    logprobs: true,
    alternatives: 1,
  },
  limits: { maxOutputTokens: 3 },
  reasoning: { mode: "enabled", budgetTokens: 9000 },
  endUser: JSON.stringify({ device: "d".repeat(128) }),
  serviceTier: "batch",
  safety: [{ category: "c", threshold: "t" }],
  cacheKey: "k",
  metadata: { a: "b" },
  verbosity: "low",
  native: { format: "messages", fields: { container: "c", id: "x", mcp_servers: null } },
};

Deno.test("encodeRequest writes a rich request of another format", () => {
  const { body } = encode(rich);
  const hash = body.safety_identifier;
  assertEquals(hash.length, 64);
  const renamed = body.tools[1].name;
  assert(/^a_b_c_[0-9a-f]{8}$/.test(renamed));
  assertEquals(body, {
    model: "m",
    stream: true,
    instructions: "one\n\ntwo",
    input: [
      {
        type: "message",
        role: "user",
        content: [
          {
            type: "input_text",
            text: "hi",
            prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" },
          },
          { type: "input_image", image_url: "https://x.test/a.png", detail: "auto" },
          {
            type: "input_file",
            filename: "document.txt",
            file_data: "data:text/plain;base64,w6k=",
          },
          { type: "input_file", file_id: "file_1" },
        ],
      },
      {
        type: "message",
        role: "assistant",
        content: [
          { type: "output_text", text: "a", annotations: [] },
          { type: "refusal", refusal: "no" },
        ],
      },
      { type: "message", role: "developer", content: [{ type: "input_text", text: "mid" }] },
    ],
    tools: [
      {
        type: "function",
        name: "f",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
      {
        type: "function",
        name: renamed,
        parameters: { type: "object", properties: { x: {} } },
        strict: false,
      },
      { type: "custom", name: "c", format: { type: "grammar", syntax: "regex", definition: "x" } },
      {
        type: "web_search",
        filters: { allowed_domains: ["x.test"] },
        search_context_size: "high",
        user_location: { type: "approximate", country: "NO" },
      },
      { type: "code_interpreter", container: { type: "auto" } },
    ],
    tool_choice: "required",
    parallel_tool_calls: false,
    text: {
      format: { type: "json_schema", name: "response", schema: { type: "object", properties: {} } },
      verbosity: "low",
    },
    reasoning: { effort: "high", summary: "auto" },
    max_output_tokens: 16,
    temperature: 0.5,
    include: ["reasoning.encrypted_content", "message.output_text.logprobs"],
    store: false,
    metadata: { a: "b" },
    prompt_cache_key: "k",
    safety_identifier: hash,
  });
});

Deno.test("encodeRequest notes everything that a rich request loses", () => {
  assertEquals(encode(rich).notes.toSorted(), [
    "endUser emulated",
    "limits.maxOutputTokens clamped",
    "native.container dropped",
    "reasoning.budgetTokens emulated",
    "safety dropped",
    "sampling.frequencyPenalty dropped",
    "sampling.logitBias dropped",
    "sampling.presencePenalty dropped",
    "sampling.seed dropped",
    "sampling.stopSequences dropped",
    "sampling.topK dropped",
    "serviceTier dropped",
    "tools[0].cache dropped",
    "tools[1].name emulated",
    "tools[1].strict dropped",
    "tools[3].blockedDomains dropped",
    "tools[3].maxUses dropped",
    "tools[5] dropped",
    "tools[6] dropped",
    "turns[0].parts[4] dropped",
    "turns[1].parts[0] dropped",
    "turns[1].parts[1].citations dropped",
    "turns[1].parts[3] dropped",
    "turns[1].parts[4] dropped",
  ]);
  for (const { reason } of Object.values(responses.noteTable)) assert(!reason.endsWith("."));
});

Deno.test("encodeRequest refuses what would change the question", () => {
  const media = { type: "base64", data: "AA==" } as const;
  const user = (part: Part) => ({ turns: [{ role: "user" as const, parts: [part] }] });
  const refused: Partial<CanonicalRequest>[] = [
    user({ type: "audio", source: media, mediaType: "audio/wav" }),
    user({ type: "video", source: media }),
    user({ type: "image", source: { type: "file-id", id: "f", format: "messages" } }),
    { sampling: { alternatives: 2 } },
    {
      tools: [{ type: "function", name: "f" }],
      toolChoice: { type: "native", format: "messages", value: {} },
    },
  ];
  for (const request of refused) {
    const error = thrownBy(() => encode(request));
    assertEquals(error.code, "unsupported_parameter");
    assert(error.message.startsWith("Cannot encode request: "));
  }
});

const efforts = [
  { reasoning: { effort: "xhigh" }, expected: { effort: "xhigh", summary: "auto" } },
  { reasoning: { mode: "disabled" }, expected: { effort: "none" } },
  { reasoning: { budgetTokens: 0 }, expected: { effort: "none" } },
  { reasoning: { budgetTokens: -1 }, expected: { effort: "medium", summary: "auto" } },
  { reasoning: { budgetTokens: 1024 }, expected: { effort: "low", summary: "auto" } },
  { reasoning: { budgetTokens: 8192 }, expected: { effort: "medium", summary: "auto" } },
  { reasoning: { budgetTokens: 24576 }, expected: { effort: "high", summary: "auto" } },
  { reasoning: { budgetTokens: 24577 }, expected: { effort: "xhigh", summary: "auto" } },
  { reasoning: { mode: "adaptive" }, expected: { effort: "medium", summary: "auto" } },
  { reasoning: { effort: "low", summary: "none" }, expected: { effort: "low" } },
] as const;

for (const { reasoning, expected } of efforts) {
  Deno.test(`encodeRequest writes reasoning ${JSON.stringify(reasoning)}`, () => {
    assertEquals(encode({ reasoning }).body.reasoning, expected);
  });
}

Deno.test("encodeRequest adds the word JSON only where JSON mode lacks it", () => {
  const words = (text: string) =>
    encode({
      output: { type: "json" },
      turns: [{ role: "user", parts: [{ type: "text", text }] }],
    });
  assertEquals(words("give me Json").body.instructions, undefined);
  assertEquals(words("give").body.instructions, "Respond with JSON.");
  assertEquals(words("give").notes, ["output emulated"]);
});

Deno.test("encodeRequest keeps cache marks of instructions in a developer message", () => {
  const { body } = encode({
    instructions: [{ type: "text", text: "a" }, { type: "text", text: "b", cache: {} }],
  });
  assertEquals(body.instructions, undefined);
  assertEquals(body.input, [{
    type: "message",
    role: "developer",
    content: [
      { type: "input_text", text: "a" },
      { type: "input_text", text: "b", prompt_cache_breakpoint: { mode: "explicit" } },
    ],
  }]);
});
