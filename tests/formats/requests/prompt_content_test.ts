import { assert, assertEquals } from "@std/assert";
import {
  type FormatName,
  formatNames,
  GatewayError,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { objectOf, objectsOf } from "../../../lib/formats/wire_value.ts";
import { refusalsOf } from "../../strict/mod.ts";
import { wireOf } from "../recorded_wire.ts";

/** Content of a prompt that one format has: it is carried or refused, never left out. */

const models = {
  "chat-completions": "gpt-4.1",
  responses: "gpt-4.1",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-2.5-flash",
} as const satisfies Record<FormatName, string>;

function encoded(from: FormatName, to: FormatName, body: JsonObject) {
  const request = codecs[from].decodeRequest(wireOf[from](body, models[from]));
  return encodeAtOnce(codecs[to], { ...request, model: models[to] });
}

const url = "https://papers.example/attention.pdf";
const pdf = "JVBERi0xLjcKJcfs";

const documents: readonly { name: string; part: JsonObject; title?: string; data?: string }[] = [
  { name: "document_url as text", part: { type: "document_url", document_url: url } },
  { name: "document_url as an object", part: { type: "document_url", document_url: { url } } },
  {
    name: "document_url with a name",
    part: { type: "document_url", document_url: url, document_name: "Attention" },
    title: "Attention",
  },
  {
    name: "document_url with bytes",
    part: { type: "document_url", document_url: `data:application/pdf;base64,${pdf}` },
    data: pdf,
  },
  { name: "file_url", part: { type: "file_url", file_url: { url } } },
  {
    name: "file_url with bytes and a name",
    part: { type: "file_url", file_url: { url: pdf }, file_name: "a.pdf" },
    title: "a.pdf",
    data: pdf,
  },
];

function asking(part: JsonObject): JsonObject {
  const content = [{ type: "text", text: "Summarize" }, part];
  return { model: models["chat-completions"], messages: [{ role: "user", content }] };
}

/** The document as each format has it. */
const documentIn: Readonly<
  Record<Exclude<FormatName, "chat-completions">, (body: JsonObject) => unknown>
> = {
  responses: ({ input }) => objectsOf(objectsOf(input)[0].content)[1],
  messages: ({ messages }) => objectsOf(objectsOf(messages)[0].content)[1],
  "generate-content": ({ contents }) => objectsOf(objectsOf(contents)[0].parts)[1],
};

for (const { name, part, title, data } of documents) {
  const expected = {
    responses: {
      type: "input_file",
      ...(data === undefined ? { file_url: url } : { file_data: fileData(part, data) }),
      ...(title === undefined ? data && { filename: "document.pdf" } : { filename: title }),
    },
    messages: {
      type: "document",
      source: data === undefined
        ? { type: "url", url }
        : { type: "base64", media_type: "application/pdf", data },
      ...(title !== undefined && { title }),
    },
    "generate-content": data === undefined
      ? { fileData: { mimeType: "application/pdf", fileUri: url, ...named(title) } }
      : { inlineData: { mimeType: "application/pdf", data, ...named(title) } },
  } as const;
  for (const to of ["responses", "messages", "generate-content"] as const) {
    Deno.test(`a document of chat completions reaches ${to}: ${name}`, () => {
      const { wire, notes } = encoded("chat-completions", to, asking(part));
      assertEquals(documentIn[to](plain(wire.body)), plain(expected[to]));
      assertEquals(notes, []);
      assertEquals(
        refusalsOf(to, { path: wire.path, headers: headersOf(to), body: plain(wire.body) }),
        [],
      );
    });
  }
  Deno.test(`a document of chat completions stays as it is in its own format: ${name}`, () => {
    const body = asking(part);
    const { wire, notes } = encoded("chat-completions", "chat-completions", body);
    assertEquals(plain(wire.body).messages, body.messages);
    assertEquals(notes, []);
  });
}

for (
  const part of [
    { type: "document_url", document_url: 7 },
    { type: "file_url", file_url: {} },
  ]
) {
  Deno.test(`a document without an address is refused: ${JSON.stringify(part)}`, () => {
    const error = refusalOf(() => encoded("chat-completions", "messages", asking(part)));
    assert(error?.message.includes(`messages[0].content[1].${part.type}`), error?.message);
  });
}

const novelty = { type: "hologram", hologram: { data: "AAAA", depth: 3 } };

/** A prompt with the part, in a user's message and in a tool's result. */
const prompts: Readonly<Record<FormatName, (part: JsonObject) => readonly JsonObject[]>> = {
  "chat-completions": (part) => [
    asking(part),
    {
      ...asking({ type: "text", text: "" }),
      messages: [
        { role: "user", content: "Look" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: [part] },
      ],
    },
    {
      ...asking(part),
      messages: [{ role: "user", content: "Hi" }, { role: "system", content: [part] }],
    },
  ],
  responses: (part) => [
    { model: models.responses, input: [{ role: "user", content: [part] }] },
    {
      model: models.responses,
      input: [
        { role: "user", content: "Look" },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: [part] },
      ],
    },
  ],
  messages: (part) => [
    { model: models.messages, max_tokens: 9, messages: [{ role: "user", content: [part] }] },
    {
      model: models.messages,
      max_tokens: 9,
      messages: [
        { role: "user", content: "Look" },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [part] }] },
      ],
    },
  ],
  "generate-content": ({ hologram }) => [
    { contents: [{ role: "user", parts: [{ hologram }] }] },
    {
      contents: [
        { role: "user", parts: [{ text: "Look" }] },
        { role: "model", parts: [{ functionCall: { id: "c", name: "f", args: {} } }] },
        {
          role: "user",
          parts: [{
            functionResponse: { id: "c", name: "f", response: {}, parts: [{ hologram }] },
          }],
        },
      ],
    },
  ],
};

for (const from of formatNames) {
  for (const to of formatNames) {
    Deno.test(`a part of a prompt that only ${from} has, in ${to}`, () => {
      for (const body of prompts[from](novelty)) {
        const error = refusalOf(() => encoded(from, to, body));
        if (from === to) assertEquals(error, undefined);
        else {
          assertEquals(error?.code, "unsupported_parameter");
          assert(
            error?.message.includes(`hologram of the ${from} format, which is not converted`),
            error?.message,
          );
        }
      }
    });
  }
}

Deno.test("a part of a prompt that only one format has is sent as text if it has one", () => {
  const { wire, notes } = encoded(
    "chat-completions",
    "messages",
    asking({ ...novelty, text: "A cat" }),
  );
  assertEquals(objectOf(documentIn.messages(plain(wire.body))).text, "A cat");
  assertEquals(notes.map(({ path, action }) => `${path} ${action}`), [
    "turns[0].parts[1] emulated",
  ]);
});

Deno.test("a part of the model's own answer may be left out with a note", () => {
  const { notes } = encoded("chat-completions", "messages", {
    model: models["chat-completions"],
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "text", text: "Look" }, novelty] },
      { role: "user", content: "Go on" },
    ],
  });
  assertEquals(notes.map(({ path, action }) => `${path} ${action}`), ["turns[1].parts[1] dropped"]);
});

function refusalOf(run: () => unknown): GatewayError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function fileData({ type, document_url }: JsonObject, data: string): unknown {
  return type === "document_url" ? document_url : `data:application/pdf;base64,${data}`;
}

function named(title: string | undefined) {
  return title === undefined ? {} : { displayName: title };
}

function headersOf(to: FormatName): Headers {
  return new Headers(to === "messages" ? { "anthropic-version": "2023-06-01" } : {});
}

function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
