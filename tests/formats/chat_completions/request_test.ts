import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type CanonicalRequest,
  GatewayError,
  type JsonObject,
  type JsonValue,
  type Part,
  sealContinuation,
} from "../../../lib/canonical/mod.ts";
import { chatCompletions } from "../../../lib/formats/chat_completions/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { bareRequest } from "../requests/bare_request.ts";

const user = { role: "user", content: "Hi" };
const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const png = { type: "image_url", image_url: { url: "data:image/png;base64,AAA=" } };

function wireOf(body: JsonObject) {
  return { path: "/chat/completions", search: {}, headers: {}, body };
}

function decode(body: JsonObject): CanonicalRequest {
  return chatCompletions.decodeRequest(wireOf({ model: "m", messages: [user], ...body }));
}

function again(body: JsonObject): JsonObject {
  const { wire, notes } = encodeAtOnce(chatCompletions, decode(body));
  assertEquals(notes, []);
  return wire.body;
}

const request: CanonicalRequest = {
  ...bareRequest,
  stream: false,
  turns: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
};

function encode(changes: Partial<CanonicalRequest>) {
  const { wire, notes } = encodeAtOnce(chatCompletions, { ...request, ...changes });
  return { body: wire.body, notes: notes.map(({ path, action }) => `${action} ${path}`) };
}

function messagesOf(...parts: Part[]) {
  const { body, notes } = encode({ turns: [{ role: "user", parts }] });
  return { messages: body.messages, notes };
}

const kept: Record<string, JsonObject> = {
  "max_tokens in its old spelling": { max_tokens: 5 },
  "both limits": { max_tokens: 5, max_completion_tokens: 6 },
  "user and safety_identifier": { user: "u", safety_identifier: "s" },
  "user alone": { user: "u" },
  "extensions: top_k and thinking": { top_k: 4, thinking: { type: "enabled", budget_tokens: 9 } },
  "the reasoning of routers": { reasoning: { effort: "high", exclude: true } },
  "reasoning of routers beside an effort": {
    reasoning: { max_tokens: 9 },
    reasoning_effort: "low",
  },
  "enable_thinking": { enable_thinking: false },
  "every effort": { reasoning_effort: "xhigh" },
  "sampling": {
    temperature: 0,
    top_p: 0.5,
    presence_penalty: -1,
    frequency_penalty: 1,
    logit_bias: { "50256": -100 },
    logprobs: true,
    top_logprobs: 2,
    seed: 7,
    n: 2,
    stop: ["a", "b"],
  },
  "unknown members": { provider: { order: ["x"] }, prediction: { type: "content", content: "x" } },
  "audio output": { modalities: ["text", "audio"], audio: { voice: { id: "v" }, format: "opus" } },
  "moderation": { moderation: { model: "m", policy: { input: { mode: "block" } } } },
  "cache options": {
    prompt_cache_key: "k",
    prompt_cache_options: { mode: "explicit", ttl: "30m" },
    prompt_cache_retention: "24h",
  },
  "metadata, store, tier, verbosity": {
    metadata: { a: "b" },
    store: false,
    service_tier: "auto",
    verbosity: "low",
  },
  "stream options": {
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: false, later: 1 },
  },
  "web search": {
    web_search_options: {
      search_context_size: "low",
      user_location: { type: "approximate", approximate: { city: "Oslo" } },
    },
  },
  "an unknown response format": { response_format: { type: "regex", regex: "x" } },
  "JSON mode": { response_format: { type: "json_object" } },
  "a schema without all its members": {
    response_format: { type: "json_schema", json_schema: { name: "n", later: 1 } },
  },
  "tools of all kinds": {
    tools: [
      { type: "function", function: { name: "f", later: 1 }, cache_control: { type: "ephemeral" } },
      { type: "function", function: { name: "g", strict: true, parameters: { "x-any": 1 } } },
      { type: "custom", custom: { name: "c", description: "d" } },
      {
        type: "custom",
        custom: {
          name: "g2",
          format: { type: "grammar", grammar: { syntax: "lark", definition: "start: x" } },
        },
      },
      { type: "later", later: { name: "x" } },
    ],
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
    },
    parallel_tool_calls: false,
  },
  "a choice of a custom tool": {
    tools: [{ type: "custom", custom: { name: "c" } }],
    tool_choice: { type: "custom", custom: { name: "c" } },
  },
  "the deprecated functions": {
    functions: [{ name: "f", parameters: { type: "object", properties: {} } }],
    function_call: { name: "f" },
    messages: [
      user,
      { role: "assistant", content: null, function_call: { name: "f", arguments: '{"a":1}' } },
      { role: "function", name: "f", content: "done" },
    ],
  },
};

for (const [name, body] of Object.entries(kept)) {
  Deno.test(`chat-completions request keeps ${name}`, () => {
    assertEquals(again(body), { model: "m", messages: [user], ...body });
  });
}

const conversations: Record<string, JsonObject[]> = {
  "developer and named messages": [
    { role: "developer", content: "Be brief.", name: "n" },
    { role: "system", content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] },
    { role: "user", content: "Hi", name: "u" },
    { role: "developer", content: "Now in French." },
    { role: "assistant", content: "Salut" },
  ],
  "empty contents": [
    { role: "system", content: "" },
    { role: "user", content: "" },
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: "" },
  ],
  "all user parts": [{
    role: "user",
    content: [
      {
        type: "text",
        text: "x",
        prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" },
        cache_control: { type: "ephemeral" },
      },
      { type: "image_url", image_url: { url: "https://x.test/a.png", detail: "original" } },
      png,
      { type: "image_url", image_url: { url: "https://x.test/b.png", format: "png" }, later: 1 },
      { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "flac" } },
      { type: "file", file: { file_id: "file_1" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAA=" } },
      { type: "file", file: { filename: "a.mp4", file_data: "https://x.test/a.mp4" } },
      { type: "file", file: { file_data: "AAA=" } },
      { type: "video_url", video_url: { url: "https://x.test/a.mp4" } },
      { type: "later", later: { x: 1 } },
    ],
  }],
  "what an assistant may say": [
    user,
    { role: "assistant", content: null, refusal: "No." },
    {
      role: "assistant",
      content: [{ type: "text", text: "a" }, { type: "refusal", refusal: "b" }],
    },
    { role: "assistant", content: null, audio: { id: "audio_1" } },
    { role: "assistant", content: "x", name: "n", images: [png] },
    {
      role: "assistant",
      content: "x",
      annotations: [
        {
          type: "url_citation",
          url_citation: { start_index: 0, end_index: 1, title: "t", url: "https://x.test" },
        },
        { type: "later", later: 1 },
      ],
      extra_content: { google: { thought_signature: "sig" } },
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        call,
        { id: "call_2", type: "custom", custom: { name: "c", input: "free text" } },
        {
          id: "call_3",
          type: "function",
          function: { name: "f", arguments: "{not json" },
          extra_content: { google: { thought_signature: "sig" } },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "a" }] },
    { role: "tool", tool_call_id: "call_2", content: "b", name: "c" },
    { role: "tool", tool_call_id: "call_3", content: "c" },
  ],
  "reasoning as its upstreams state it": [
    user,
    { role: "assistant", content: "x", reasoning_content: "thought" },
    { role: "assistant", content: "x", reasoning: "thought" },
    {
      role: "assistant",
      content: "x",
      reasoning: "thought",
      reasoning_details: [{ type: "reasoning.text", text: "thought", signature: "s", index: 0 }],
    },
    {
      role: "assistant",
      content: "x",
      reasoning_details: [{ type: "reasoning.encrypted", data: "blob", id: "r", index: 0 }],
    },
    {
      role: "assistant",
      content: "x",
      reasoning_content: "thought",
      thinking_blocks: [{ type: "thinking", thinking: "thought", signature: "s" }],
    },
  ],
};

/** Treats one text and a single text part as equal. */
function simplified(message: JsonObject): JsonObject {
  const { content } = message;
  const [only, ...others] = Array.isArray(content) ? content : [];
  return only && others.length === 0 && Object.keys(only).length === 2 && only.type === "text"
    ? { ...message, content: only.text }
    : message;
}

for (const [name, messages] of Object.entries(conversations)) {
  Deno.test(`chat-completions request keeps ${name}`, () => {
    assertEquals(again({ messages }).messages, messages.map(simplified));
  });
}

Deno.test("chat-completions request reads a limit, an end user and thinking from their aliases", () => {
  const { limits, endUser, reasoning } = decode({
    max_tokens: 5,
    user: "u",
    thinking: { type: "disabled" },
  });
  assertEquals([limits.maxOutputTokens, endUser, reasoning], [5, "u", { mode: "disabled" }]);
});

Deno.test("chat-completions request takes calls without their type", () => {
  const { type: _, ...untyped } = call;
  const messages = [user, { role: "assistant", content: null, tool_calls: [untyped] }];
  assertEquals(decode({ messages }).turns[1].parts[0].type, "tool-call");
});

Deno.test("chat-completions request leaves a call's proof to the call where its message repeats it", () => {
  const proof = (text: string) => ({ extra_content: { google: { thought_signature: text } } });
  const proven = (repeated: string) =>
    decode({
      messages: [user, {
        role: "assistant",
        content: "Calling.",
        tool_calls: [{ ...call, ...proof("of the call") }, { ...call, id: "call_2" }],
        ...proof(repeated),
      }],
    }).turns[1].parts.map((part) => part.type !== "native" && part.continuation?.data);
  assertEquals(proven("of the call"), [undefined, "of the call", undefined]);
  assertEquals(proven("of the text"), ["of the text", "of the call", undefined]);
});

Deno.test("chat-completions request takes a message's members out of its parts", () => {
  const sealed = sealContinuation("chat-completions", { issuer: "messages", data: "proof" });
  const besides = {
    role: "assistant",
    refusal: null,
    tool_calls: [call],
    reasoning_details: [{ type: "reasoning.encrypted", data: sealed, index: 0 }],
    extra_content: { google: { thought_signature: sealed } },
  };
  const said = { type: "text", text: "Calling.", cache_control: { type: "ephemeral" }, x: 1 };
  const messages = [user, { role: "assistant", content: [{ ...said, ...besides }] }];
  const request = decode({ messages });
  const [thought, ...others] = request.turns[1].parts;
  assertEquals(thought.type === "reasoning" && thought.continuation?.data, "proof");
  assertEquals(others.map(({ type }) => type), ["text"]);
  const { wire } = encodeAtOnce(chatCompletions, request);
  assertEquals(wire.body.messages, [user, {
    role: "assistant",
    content: [said],
  }]);
});

Deno.test("chat-completions request marks the result of a custom tool's call", () => {
  const custom = { id: "c", type: "custom", custom: { name: "x", input: "y" } };
  const { turns } = decode({
    messages: [user, { role: "assistant", tool_calls: [custom] }, {
      role: "tool",
      tool_call_id: "c",
      content: "z",
    }],
  });
  const [result] = turns[2].parts;
  assertEquals(result.type === "tool-result" && result.kind, "custom");
});

const refused: Record<string, [JsonObject, string]> = {
  "an empty model": [{ model: "" }, "model"],
  "no message": [{ messages: [] }, "messages"],
  "messages as a map": [{ messages: { 0: user } }, "messages"],
  "a message that is none": [{ messages: [user, null] }, "messages[1]"],
  "an unknown role": [{ messages: [{ role: "critic", content: "" }] }, "messages[0].role"],
  "a role of Object.prototype": [
    { messages: [{ role: "constructor", content: "" }] },
    "messages[0].role",
  ],
  "a content that is a number": [
    { messages: [user, user, user, { role: "user", content: 3 }] },
    "messages[3].content must be a string or an array of parts",
  ],
  "a part without type": [
    { messages: [{ role: "user", content: [{ text: "x" }] }] },
    "messages[0].content[0].type",
  ],
  "a part that is a string": [
    { messages: [{ role: "user", content: ["x"] }] },
    "messages[0].content[0]",
  ],
  "a text that is null": [
    { messages: [{ role: "user", content: [{ type: "text", text: null }] }] },
    "messages[0].content[0].text",
  ],
  "an image without address": [
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }] },
    "messages[0].content[0].image_url",
  ],
  "a file without content": [
    { messages: [{ role: "user", content: [{ type: "file", file: {} }] }] },
    "messages[0].content[0].file",
  ],
  "a result without its call": [
    { messages: [user, { role: "tool", content: "x" }] },
    "messages[1].tool_call_id",
  ],
  "arguments as an object": [{
    messages: [{
      role: "assistant",
      tool_calls: [{ ...call, function: { name: "f", arguments: {} } }],
    }],
  }, "messages[0].tool_calls[0].function.arguments"],
  "a tool without declaration": [{ tools: [{ type: "function", name: "f" }] }, "tools[0].function"],
  "a schema that is a string": [
    { tools: [{ type: "function", function: { name: "f", parameters: "x" } }] },
    "tools[0].function.parameters",
  ],
  "an unknown effort": [{ reasoning_effort: "huge" }, "reasoning_effort"],
  "an unknown choice": [{ tool_choice: "maybe" }, "tool_choice"],
  "a choice without name": [
    { tool_choice: { type: "function", function: {} } },
    "tool_choice.function.name",
  ],
  "a temperature as text": [{ temperature: "1" }, "temperature"],
  "metadata that is not text": [{ metadata: { a: 1 } }, "metadata.a"],
};

for (const [name, [body, names]] of Object.entries(refused)) {
  Deno.test(`chat-completions request refuses ${name}`, () => {
    const error = assertThrows(() => decode(body), GatewayError, names);
    assertEquals(error.code, "invalid_request");
    assert(error.message.startsWith("Cannot decode request: "));
  });
}

Deno.test("chat-completions envelope refuses what cannot be routed", () => {
  for (
    const body of [{}, { model: 1, messages: [] }, { model: "m" }, { model: "m", messages: {} }]
  ) {
    assertThrows(() => chatCompletions.envelope(wireOf(body)), GatewayError);
  }
  const { conversation, ...envelope } = chatCompletions.envelope(
    wireOf({ model: "a/b:c", messages: [], stream: true }),
  );
  assertEquals(conversation?.(), undefined);
  assertEquals(envelope, {
    model: "a/b:c",
    maxOutputTokens: undefined,
    alternatives: 1,
    thinkingTokens: undefined,
    stream: true,
    framing: "sse",
  });
});

/** A chain of nested objects. */
function deep(levels: number): JsonValue {
  let value: JsonValue = {};
  for (let level = 0; level < levels; level++) value = { x: value };
  return value;
}

const full: JsonObject = {
  model: "m",
  ...Object.assign({}, ...Object.values(kept)),
  messages: Object.values(conversations).flat(),
};

Deno.test("chat-completions request survives hostile values in every place", () => {
  const hostile = [null, 0, -1e400, "", "x", true, [], [null], [[]], {}, deep(5000), [deep(5000)]];
  for (const path of pathsOf(full, 4)) {
    for (const value of hostile) tolerated(replaced(full, path, value));
  }
});

function tolerated(body: JsonObject): void {
  try {
    encodeAtOnce(chatCompletions, chatCompletions.decodeRequest(wireOf(body)));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

function pathsOf(value: unknown, levels: number): string[][] {
  if (levels === 0 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner, levels - 1).map((path) => [key, ...path]),
  ]);
}

function replaced(holder: unknown, [key, ...rest]: string[], value: JsonValue): JsonObject {
  const copy = Array.isArray(holder) ? [...holder] : { ...Object(holder) };
  copy[key] = rest.length === 0 ? value : replaced(copy[key], rest, value);
  return copy;
}

Deno.test("chat-completions encode: foreign instructions are one system message", () => {
  const { body } = encode({
    instructions: [{ type: "text", text: "a" }, { type: "text", text: "b" }],
  });
  assertEquals(body.messages, [
    { role: "system", content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] },
    user,
  ]);
});

Deno.test("chat-completions encode: results come before the user's words, media after all of them", () => {
  const image: Part = {
    type: "image",
    source: { type: "base64", data: "AAA=" },
    mediaType: "image/png",
  };
  const { messages, notes } = messagesOf(
    { type: "text", text: "See?" },
    {
      type: "tool-result",
      callId: "a",
      kind: "function",
      parts: [image, { type: "text", text: "one" }],
      isError: false,
    },
    { type: "tool-result", callId: "b", kind: "function", parts: [], isError: true },
  );
  assertEquals(messages, [
    {
      role: "tool",
      tool_call_id: "a",
      content: [{ type: "text", text: "[image attached below]" }, { type: "text", text: "one" }],
    },
    { role: "tool", tool_call_id: "b", content: "Error:" },
    { role: "user", content: [png, { type: "text", text: "See?" }] },
  ]);
  assertEquals(notes, [
    "emulated turns[0].parts[1].parts[0]",
    "emulated turns[0].parts[2].isError",
  ]);
});

Deno.test("chat-completions encode: media of results wait for results in later turns", () => {
  const result = (callId: string, ...parts: Part[]): Part => ({
    type: "tool-result",
    callId,
    kind: "function",
    parts,
    isError: false,
  });
  const url: Part = { type: "image", source: { type: "url", url: "https://x.test/a.png" } };
  const { body } = encode({
    turns: [
      { role: "user", parts: [result("a", url)] },
      { role: "user", parts: [result("b")] },
      { role: "assistant", parts: [{ type: "text", text: "Seen." }] },
    ],
  });
  const roles = (body.messages as { role: string }[]).map(({ role }) => role);
  assertEquals(roles, ["tool", "tool", "user", "assistant"]);
  const last = encode({ turns: [{ role: "user", parts: [result("a", url)] }] }).body.messages;
  assertEquals((last as { role: string }[]).map(({ role }) => role), ["tool", "user"]);
});

Deno.test("chat-completions encode: calls of neighbouring turns are one message", () => {
  const parts = (id: string): Part[] => [
    { type: "tool-call", id, name: "f", arguments: "", kind: "function" },
  ];
  const { body } = encode({
    turns: [{ role: "assistant", parts: parts("a") }, { role: "assistant", parts: parts("b") }],
  });
  assertEquals(body.messages, [{
    role: "assistant",
    content: null,
    tool_calls: ["a", "b"].map((id) => ({ ...call, id })),
  }]);
});

Deno.test("chat-completions encode: ids over 40 characters are hashed alike in call and result", () => {
  const id = "x".repeat(41);
  const { body } = encode({
    turns: [
      {
        role: "assistant",
        parts: [{ type: "tool-call", id, name: "f", arguments: "{}", kind: "function" }],
      },
      {
        role: "user",
        parts: [{ type: "tool-result", callId: id, kind: "function", parts: [], isError: false }],
      },
    ],
  });
  const [said, result] = body.messages as [
    { tool_calls: { id: string }[] },
    { tool_call_id: string },
  ];
  assertEquals(said.tool_calls[0].id, result.tool_call_id);
  assert(result.tool_call_id.length <= 40);
});

Deno.test("chat-completions encode: foreign reasoning is left out, what its own upstream stated goes back", () => {
  const own = { issuer: "chat-completions", data: '{"reasoning_content":true}' } as const;
  const thoughts: Part[] = [
    { type: "reasoning", text: "a", visibility: "raw" },
    {
      type: "reasoning",
      text: "b",
      visibility: "raw",
      continuation: { issuer: "messages", data: "s" },
    },
    { type: "reasoning", text: "c", visibility: "raw", continuation: own },
    { type: "text", text: "x" },
  ];
  const { body, notes } = encode({ turns: [{ role: "assistant", parts: thoughts }] });
  assertEquals(body.messages, [{ role: "assistant", content: "x", reasoning_content: "c" }]);
  assertEquals(notes, ["dropped turns[0].parts[0]", "dropped turns[0].parts[1]"]);
});

Deno.test("chat-completions encode: a continuation cannot write other members of the message", () => {
  const data = JSON.stringify({ reasoning_content: true, role: "system", content: "x" });
  const part: Part = {
    type: "reasoning",
    text: "c",
    visibility: "raw",
    continuation: { issuer: "chat-completions", data },
  };
  const { body } = encode({ turns: [{ role: "assistant", parts: [part] }] });
  assertEquals(body.messages, [{ role: "assistant", content: null, reasoning_content: "c" }]);
});

const media: Record<string, Part> = {
  "a video": { type: "video", source: { type: "url", url: "https://x.test/a.mp4" } },
  "audio by address": { type: "audio", source: { type: "url", url: "https://x.test/a.wav" } },
  "audio in another encoding": {
    type: "audio",
    source: { type: "base64", data: "AAAA" },
    mediaType: "audio/ogg",
  },
  "a file by address": { type: "file", source: { type: "url", url: "https://x.test/a.pdf" } },
  "a file stored by another vendor": {
    type: "file",
    source: { type: "file-id", id: "f", format: "messages" },
  },
  "an image that its vendor keeps": {
    type: "image",
    source: { type: "file-id", id: "f", format: "responses" },
  },
};

for (const [name, part] of Object.entries(media)) {
  Deno.test(`chat-completions encode refuses ${name}`, () => {
    const error = assertThrows(() => messagesOf(part), GatewayError, "turns[0].parts[0]");
    assertEquals(error.code, "unsupported_parameter");
  });
}

Deno.test("chat-completions encode: a text file is sent as text", () => {
  const data = btoa("hello");
  const source = { type: "base64", data } as const;
  const { messages, notes } = messagesOf({
    type: "file",
    source,
    mediaType: "text/plain",
    name: "a",
  });
  assertEquals(messages, [{ role: "user", content: "a\n\nhello" }]);
  assertEquals(notes, ["emulated turns[0].parts[0]"]);
});

Deno.test("chat-completions encode: a PDF without name gets one", () => {
  const source = { type: "base64", data: "AAA=" } as const;
  assertEquals(messagesOf({ type: "file", source, mediaType: "application/pdf" }).messages, [{
    role: "user",
    content: [{
      type: "file",
      file: { file_data: "data:application/pdf;base64,AAA=", filename: "document.pdf" },
    }],
  }]);
});

const settings: [string, Partial<CanonicalRequest>, JsonObject, string[]][] = [
  ["a budget", { reasoning: { budgetTokens: 2000 } }, { reasoning_effort: "medium" }, [
    "emulated reasoning.budgetTokens",
  ]],
  ["a budget of the model's own", { reasoning: { budgetTokens: -1 } }, {
    reasoning_effort: "medium",
  }, []],
  ["no budget", { reasoning: { budgetTokens: 0 } }, { reasoning_effort: "none" }, []],
  ["thinking switched off", { reasoning: { mode: "disabled" } }, { reasoning_effort: "none" }, []],
  ["adaptive thinking", { reasoning: { mode: "adaptive", effort: "max" } }, {
    reasoning_effort: "max",
  }, []],
  ["a limit", { limits: { maxOutputTokens: 9, maxToolCalls: 2 } }, { max_completion_tokens: 9 }, [
    "dropped limits.maxToolCalls",
  ]],
  ["top-k", { sampling: { topK: 3 } }, {}, ["dropped sampling.topK"]],
  ["log probabilities", { sampling: { topLogprobs: 3 } }, { logprobs: true, top_logprobs: 3 }, []],
  ["five stop sequences", { sampling: { stopSequences: ["1", "2", "3", "4", "5"] } }, {
    stop: ["1", "2", "3", "4"],
  }, ["clamped sampling.stopSequences"]],
  ["no stop sequences", { sampling: { stopSequences: [] } }, {}, []],
  ["alternatives", { sampling: { alternatives: 2 } }, { n: 2 }, []],
  ["the tier of another format", { serviceTier: "standard_only" }, { service_tier: "default" }, []],
  ["an unknown tier", { serviceTier: "batch" }, {}, ["dropped serviceTier"]],
  ["an end user", { endUser: "u1" }, { safety_identifier: "u1" }, []],
  ["store", { store: true }, { store: true }, []],
  ["no store", { store: false }, {}, []],
  ["safety", { safety: [{ category: "c", threshold: "t" }] }, {}, ["dropped safety"]],
  ["a stream", { stream: true }, { stream: true, stream_options: { include_usage: true } }, []],
  ["parallel without tools", { parallelToolCalls: false, toolChoice: { type: "auto" } }, {}, []],
  ["a choice without tools", { toolChoice: { type: "any" } }, {}, ["dropped toolChoice"]],
  [
    "native members of another format",
    { native: { format: "messages", fields: { container: "x", id: "y" } } },
    {},
    ["dropped native.container"],
  ],
];

for (const [name, changes, members, notes] of settings) {
  Deno.test(`chat-completions encode: ${name}`, () => {
    const encoded = encode(changes);
    assertEquals(encoded.body, { model: "m", messages: [user], ...members });
    assertEquals(encoded.notes, notes);
  });
}

Deno.test("chat-completions encode: an end user of 128 characters stays as it is", () => {
  const endUser = "x".repeat(128);
  assertEquals(encode({ endUser }).body.safety_identifier, endUser);
});

Deno.test("chat-completions encode: a long end user and an address are hashed", () => {
  for (const endUser of ["x".repeat(129), "a@x.test"]) {
    const { body, notes } = encode({ endUser });
    assertEquals([String(body.safety_identifier).length, notes], [64, ["emulated endUser"]]);
  }
});

Deno.test("chat-completions encode: JSON mode says JSON, once", () => {
  const { body, notes } = encode({ output: { type: "json" } });
  assertEquals(body.messages, [{ role: "system", content: "Respond with JSON." }, user]);
  assertEquals(notes, ["emulated output"]);
  const saying = { turns: [{ role: "user", parts: [{ type: "text", text: "As json" }] }] } as const;
  assertEquals(encode({ ...saying, output: { type: "json" } }).notes, []);
});

Deno.test("chat-completions encode: a schema of another format is named and kept from strict mode", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const { body, notes } = encode({ output: { type: "schema", schema, strict: true } });
  assertEquals(body.response_format, {
    type: "json_schema",
    json_schema: { name: "response", schema },
  });
  assertEquals(notes, ["dropped output.strict"]);
});

Deno.test("chat-completions encode: tools of all kinds", () => {
  const { body, notes } = encode({
    tools: [
      { type: "function", name: "a.b", namespace: "ns", cache: { ttl: "5m" } },
      { type: "function", name: "get:it" },
      { type: "custom", name: "c", grammar: { syntax: "regex", definition: "x+" } },
      { type: "hosted", kind: "url-fetch", native: { format: "messages", fields: {} } },
      { type: "hosted", kind: "web-search", native: { format: "responses", fields: {} } },
      { type: "native", format: "responses", value: { type: "computer" } },
    ],
    toolChoice: { type: "allowed", mode: "any", names: ["get:it", "c"] },
    parallelToolCalls: false,
  });
  const tools = body.tools as { type: string; function?: { name: string } }[];
  assertEquals(tools.map(({ type }) => type), ["function", "function", "custom"]);
  const names = tools.flatMap((tool) => tool.function ? [tool.function.name] : []);
  for (const name of names) assert(/^[A-Za-z0-9_-]{1,64}$/.test(name), name);
  assertEquals(body.tool_choice, {
    type: "allowed_tools",
    allowed_tools: {
      mode: "required",
      tools: [
        { type: "function", function: { name: names[1] } },
        { type: "custom", custom: { name: "c" } },
      ],
    },
  });
  assertEquals(body.web_search_options, undefined);
  assertEquals(notes, [
    "dropped tools[0].cache",
    "emulated tools[0].namespace",
    "emulated tools[1].name",
    "dropped tools[3]",
    "dropped tools[4]",
    "dropped tools[5]",
  ]);
});

Deno.test("chat-completions encode: web search goes to models made for it", () => {
  const { body, notes } = encode({
    model: "x-search-preview",
    tools: [{
      type: "hosted",
      kind: "web-search",
      allowedDomains: ["x.test"],
      maxUses: 2,
      searchContextSize: "high",
      userLocation: { city: "Oslo" },
      native: { format: "messages", fields: {} },
    }],
  });
  assertEquals(body.web_search_options, {
    search_context_size: "high",
    user_location: { type: "approximate", approximate: { city: "Oslo" } },
  });
  assertEquals(notes, ["dropped tools[0].allowedDomains", "dropped tools[0].maxUses"]);
});

Deno.test("chat-completions encode: a forced tool that only another vendor runs is refused", () => {
  const toolChoice = { type: "native", format: "responses", value: { type: "mcp" } } as const;
  const error = assertThrows(() => encode({ toolChoice }), GatewayError);
  assertEquals(error.code, "unsupported_parameter");
});

Deno.test("chat-completions encode: cache marks are on parts, with a lifetime of the format", () => {
  const { messages, notes } = messagesOf(
    { type: "text", text: "a", cache: { ttl: "1h" } },
    { type: "text", text: "b", cache: { ttl: "30m" } },
  );
  const mark = { mode: "explicit", ttl: "30m" };
  assertEquals(messages, [{
    role: "user",
    content: [
      { type: "text", text: "a", prompt_cache_breakpoint: mark },
      { type: "text", text: "b", prompt_cache_breakpoint: mark },
    ],
  }]);
  assertEquals(notes, ["clamped turns[0].parts[0].cache.ttl"]);
});
