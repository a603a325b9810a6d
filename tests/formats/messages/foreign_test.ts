import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  GatewayError,
  type JsonObject,
  type Part,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { call, contentAt, encode, request, result, text } from "./foreign.ts";

const asked = (parts: readonly Part[]) => ({ turns: [{ role: "user", parts }] }) as const;

Deno.test("messages request from another format: a rich one, with all its notes", () => {
  const { wire, notes } = encodeAtOnce(
    messages,
    request({
      stream: true,
      instructions: [{ ...text("Be brief."), cache: { ttl: "30m" } }],
      turns: [
        {
          role: "user",
          parts: [
            text("Compare."),
            { type: "image", source: { type: "base64", data: "iVBORw0" }, detail: "high" },
            { type: "file", source: { type: "base64", data: "JVBERi0" }, name: "a.pdf" },
            { type: "file", source: { type: "base64", data: "aGk=" }, mediaType: "text/markdown" },
          ],
        },
        {
          role: "assistant",
          parts: [
            {
              type: "reasoning",
              text: "Need both.",
              visibility: "summary",
              continuation: { issuer: "responses", data: "enc" },
            },
            {
              type: "reasoning",
              text: "mine",
              visibility: "summary",
              continuation: { issuer: "messages", data: "EqQB" },
            },
            { ...text("Looking."), citations: [{ url: "https://x" }] },
            { ...call, namespace: "ns", native: { format: "responses", fields: { id: "fc_1" } } },
            { ...call, id: "call.2", kind: "custom", arguments: "free" },
            { type: "refusal", text: "no" },
            { type: "native", format: "responses", value: { type: "web_search_call" } },
          ],
        },
        {
          role: "user",
          parts: [
            text("And now?"),
            result,
            { ...result, callId: "call.2", kind: "custom", isError: true, parts: [] },
          ],
        },
      ],
      tools: [
        { type: "function", name: "f", namespace: "ns", description: "d", cache: {} },
        {
          type: "custom",
          name: "run",
          description: "Runs",
          grammar: { syntax: "lark", definition: "start: /a/" },
        },
        {
          type: "hosted",
          kind: "web-search",
          allowedDomains: ["a.org"],
          searchContextSize: "high",
          userLocation: { city: "Oslo" },
          native: { format: "responses", fields: {} },
        },
        { type: "native", format: "responses", value: { type: "computer" } },
      ],
      toolChoice: { type: "tool", name: "f", kind: "function" },
      parallelToolCalls: false,
      output: { type: "schema", schema: { type: "object", properties: {} }, name: "o" },
      sampling: { temperature: 1.5, seed: 1, stopSequences: ["END", " "], logprobs: true },
      reasoning: { effort: "minimal", summary: "auto" },
      cacheKey: "k",
      endUser: "a@b.org",
      metadata: { a: "b" },
      serviceTier: "flex",
      verbosity: "low",
      store: true,
      safety: [{ category: "c", threshold: "t" }],
      native: { format: "responses", fields: { truncation: "auto", include: null } },
    }),
  );
  assertEquals(
    wire.body,
    {
      model: "claude-opus-4-8",
      max_tokens: 4000,
      system: [{
        type: "text",
        text: "Be brief.",
        cache_control: { type: "ephemeral", ttl: "1h" },
      }],
      messages: [
        {
          role: "user",
          content: [
            text("Compare."),
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0" } },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0" },
              title: "a.pdf",
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "hi" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "mine", signature: "EqQB" },
            text("Looking."),
            { type: "tool_use", id: "call_1", name: "ns__f", input: { a: 1 } },
            {
              type: "tool_use",
              id: "toolu_" + "x",
              name: "f",
              input: { input: "free" },
            },
            text("no"),
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "one" },
            { type: "tool_result", tool_use_id: "toolu_" + "x", is_error: true },
            text("And now?"),
          ],
        },
      ].map((message) => withIds(message, wire.body)),
      tools: [
        {
          name: "ns__f",
          description: "d",
          input_schema: { type: "object", properties: {} },
          cache_control: { type: "ephemeral", ttl: "1h" },
        },
        {
          name: "run",
          description: "Runs\n\nThe input must match this lark grammar:\nstart: /a/",
          input_schema: {
            type: "object",
            properties: { input: { type: "string" } },
            required: ["input"],
          },
        },
        {
          type: "web_search_20250305",
          name: "web_search",
          allowed_domains: ["a.org"],
          user_location: { type: "approximate", city: "Oslo" },
        },
      ],
      tool_choice: { type: "tool", name: "ns__f", disable_parallel_tool_use: true },
      thinking: { type: "adaptive", display: "summarized" },
      output_config: {
        effort: "low",
        format: {
          type: "json_schema",
          schema: { type: "object", properties: {}, additionalProperties: false },
        },
      },
      stop_sequences: ["END"],
      metadata: { user_id: "5b26064bbe849dabc6e30cd26694c2cf44dc41a9171fbdae13c722e55f9ff041" },
      stream: true,
    } satisfies JsonObject as JsonObject,
    JSON.stringify(wire.body.metadata),
  );
  assertEquals(notes.map(({ path, action }) => `${path} ${action}`).sort(), [
    "endUser emulated",
    "metadata dropped",
    "native.truncation dropped",
    "output.schema emulated",
    "reasoning.effort clamped",
    "safety dropped",
    "sampling dropped",
    "sampling.logprobs dropped",
    "sampling.seed dropped",
    "sampling.stopSequences dropped",
    "serviceTier dropped",
    "store dropped",
    "tools[0].namespace emulated",
    "tools[1] emulated",
    "tools[2].searchContextSize dropped",
    "tools[3] dropped",
    "turns[0].parts[1].detail dropped",
    "turns[1].parts[0] dropped",
    "turns[1].parts[2].citations dropped",
    "turns[1].parts[5] emulated",
    "turns[1].parts[6] dropped",
    "verbosity dropped",
  ]);
});

/** The replaced id of a call is a hash: call and result must have the same one. */
function withIds(message: { role: string; content: JsonObject[] }, body: JsonObject) {
  const found = JSON.stringify(body.messages).match(/"id":"(toolu_[0-9a-f]{24})"/)?.[1] ?? "none";
  return JSON.parse(JSON.stringify(message).replaceAll("toolu_x", found));
}

/** Requests that must be refused rather than sent without one of their parts. */
const refused: { name: string; request: Partial<CanonicalRequest>; param: string }[] = [
  ...(["audio", "video"] as const).map((type) => ({
    name: type,
    request: asked([text("x"), { type, source: { type: "base64", data: "AAAA" } }]),
    param: "turns[0].parts[1]",
  })),
  {
    name: "an image of a type that is not taken",
    request: asked([{
      type: "image",
      source: { type: "base64", data: "Qk0" },
      mediaType: "image/bmp",
    }]),
    param: "turns[0].parts[0]",
  },
  {
    name: "an image of a type that nobody knows",
    request: asked([{ type: "image", source: { type: "base64", data: "AAAA" } }]),
    param: "turns[0].parts[0]",
  },
  {
    name: "a spreadsheet",
    request: asked([{
      type: "file",
      source: { type: "base64", data: "UEsDBA" },
      mediaType: "application/vnd.ms-excel",
    }]),
    param: "turns[0].parts[0]",
  },
  {
    name: "text that is none",
    request: asked([{
      type: "file",
      source: { type: "base64", data: "/w==" },
      mediaType: "text/plain",
    }]),
    param: "turns[0].parts[0]",
  },
  {
    name: "another vendor's file",
    request: asked([{ type: "file", source: { type: "file-id", id: "f", format: "responses" } }]),
    param: "turns[0].parts[0]",
  },
  {
    name: "audio in a result",
    request: asked([{
      ...result,
      parts: [{ type: "audio", source: { type: "base64", data: "A" } }],
    }]),
    param: "turns[0].parts[0].parts[0]",
  },
  {
    name: "alternatives",
    request: { sampling: { alternatives: 2 } },
    param: "sampling.alternatives",
  },
  ...["previous_response_id", "conversation"].map((key) => ({
    name: key,
    request: { native: { format: "responses", fields: { [key]: "x" } } } as const,
    param: key,
  })),
  {
    name: "a reference to an item",
    request: asked([{
      type: "native",
      format: "responses",
      value: { type: "item_reference", id: "x" },
    }]),
    param: "turns[0].parts[0]",
  },
  {
    name: "a choice that only another format can make",
    request: {
      tools: [{ type: "function", name: "f" }],
      toolChoice: { type: "native", format: "responses", value: { type: "file_search" } },
    },
    param: "toolChoice",
  },
];

for (const { name, request, param } of refused) {
  Deno.test(`messages request from another format refuses ${name}`, () => {
    try {
      encode(request);
    } catch (error) {
      assert(error instanceof GatewayError, String(error));
      return assertEquals([error.code, error.param], ["unsupported_parameter", param]);
    }
    throw new Error("nothing was thrown");
  });
}

/** Encodings of media. */
const media: { name: string; part: Part; block: JsonObject }[] = [
  {
    name: "an image by its data address",
    part: { type: "image", source: { type: "url", url: "data:image/jpg;base64,/9j/AA" } },
    block: { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/AA" } },
  },
  {
    name: "an image by its address",
    part: { type: "image", source: { type: "url", url: "https://x/y.png" } },
    block: { type: "image", source: { type: "url", url: "https://x/y.png" } },
  },
  {
    name: "a picture that was called a file",
    part: { type: "file", source: { type: "base64", data: "R0lGOD" }, mediaType: "image/gif" },
    block: { type: "image", source: { type: "base64", media_type: "image/gif", data: "R0lGOD" } },
  },
  {
    name: "a file by its address",
    part: { type: "file", source: { type: "url", url: "https://x/y.pdf" } },
    block: { type: "document", source: { type: "url", url: "https://x/y.pdf" } },
  },
  {
    name: "a file of text, by its name",
    part: { type: "file", source: { type: "base64", data: "w7w=" }, name: "a.CSV" },
    block: {
      type: "document",
      source: { type: "text", media_type: "text/plain", data: "ü" },
      title: "a.CSV",
    },
  },
  {
    name: "text",
    part: { type: "file", source: { type: "text", text: "t" } },
    block: { type: "document", source: { type: "text", media_type: "text/plain", data: "t" } },
  },
];

for (const { name, part, block } of media) {
  Deno.test(`messages request from another format: ${name}`, () => {
    const { body, notes } = encode(asked([text("x"), part]));
    assertEquals([contentAt(body, 0)[1], notes], [block, []]);
  });
}

const turnCases: {
  name: string;
  turns: CanonicalRequest["turns"];
  model?: string;
  sent: unknown;
}[] = [
  {
    name: "turns of one role are one message",
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "user", parts: [text("b")] },
      { role: "assistant", parts: [text("c ")] },
    ],
    sent: [
      { role: "user", content: [text("a"), text("b")] },
      { role: "assistant", content: "c" },
    ],
  },
  {
    name: "empty text and empty turns are left out",
    turns: [
      { role: "user", parts: [text(" "), text("a")] },
      { role: "assistant", parts: [text("")] },
    ],
    sent: [{ role: "user", content: "a" }],
  },
  {
    name: "the first message is the user's",
    turns: [{ role: "assistant", parts: [text("a")] }],
    sent: [{ role: "user", content: "(continue)" }, { role: "assistant", content: "a" }],
  },
  {
    name: "a system turn stays where the model takes it",
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "system", parts: [text("s")] },
    ],
    sent: [{ role: "user", content: "a" }, { role: "system", content: "s" }],
  },
  {
    name: "a system turn before a user is a reminder",
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "assistant", parts: [text("b")] },
      { role: "system", parts: [text("s")] },
      { role: "user", parts: [text("c")] },
    ],
    sent: [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      {
        role: "user",
        content: [text("<system-reminder>\ns\n</system-reminder>"), text("c")],
      },
    ],
  },
  {
    name: "a system turn is a reminder to older models",
    model: "claude-sonnet-4-5",
    turns: [
      { role: "user", parts: [text("a")] },
      { role: "system", parts: [text("s")] },
    ],
    sent: [{
      role: "user",
      content: [text("a"), text("<system-reminder>\ns\n</system-reminder>")],
    }],
  },
];

for (const { name, turns, model = "claude-opus-4-8", sent } of turnCases) {
  Deno.test(`messages request from another format: ${name}`, () => {
    assertEquals(encode({ turns, model }).body.messages, sent as never);
  });
}
