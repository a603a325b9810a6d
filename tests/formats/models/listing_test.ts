import { assertEquals, assertThrows } from "@std/assert";
import { type FormatName, GatewayError } from "../../../lib/canonical/mod.ts";
import { encodeModelList as encodeGenerateContent } from "../../../lib/formats/generate_content/model_list.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { encodeModelList, type ListedModel, type ModelCard } from "../../../lib/formats/models.ts";

/** Rows of vendors' and servers' model lists (2026-11), with the data read from each. */
const cases: readonly {
  readonly name: string;
  readonly format: FormatName;
  readonly body: unknown;
  readonly models: readonly ListedModel[];
  readonly next?: string;
}[] = [
  {
    name: "OpenAI: names alone",
    format: "responses",
    body: { object: "list", data: [{ id: "gpt-5.1", object: "model", created: 1, owned_by: "o" }] },
    models: [{ id: "gpt-5.1" }],
  },
  {
    name: "OpenRouter: names, context and the best limit",
    format: "chat-completions",
    body: {
      data: [{
        id: "acme/large",
        name: "Acme: Large",
        context_length: 200_000,
        top_provider: { context_length: 200_000, max_completion_tokens: 32_000 },
      }],
    },
    models: [{
      id: "acme/large",
      displayName: "Acme: Large",
      contextWindow: 200_000,
      maxOutputTokens: 32_000,
    }],
  },
  {
    name: "Groq",
    format: "chat-completions",
    body: {
      data: [{ id: "llama", active: true, context_window: 131_072, max_completion_tokens: 8 }],
    },
    models: [{ id: "llama", contextWindow: 131_072, maxOutputTokens: 8 }],
  },
  {
    name: "Mistral: the name repeats the id",
    format: "chat-completions",
    body: { object: "list", data: [{ id: "m", name: "m", max_context_length: 32_768 }] },
    models: [{ id: "m", contextWindow: 32_768 }],
  },
  {
    name: "Together: a bare list",
    format: "chat-completions",
    body: [{ id: "a/b", display_name: "A B", context_length: 8192 }],
    models: [{ id: "a/b", displayName: "A B", contextWindow: 8192 }],
  },
  {
    name: "vLLM",
    format: "chat-completions",
    body: { object: "list", data: [{ id: "qwen", root: "qwen", max_model_len: 40_960 }] },
    models: [{ id: "qwen", contextWindow: 40_960 }],
  },
  {
    name: "llama.cpp: two lists",
    format: "chat-completions",
    body: {
      models: [{ name: "q.gguf", model: "q.gguf" }],
      data: [{ id: "q.gguf", meta: { n_ctx_train: 4096 } }],
    },
    models: [{ id: "q.gguf", contextWindow: 4096 }],
  },
  {
    name: "a vendor with pages",
    format: "chat-completions",
    body: { data: [{ id: "a" }], has_more: true, last_id: "a" },
    models: [{ id: "a" }],
    next: "a",
  },
  {
    name: "Anthropic: a page that is not the last",
    format: "messages",
    body: {
      data: [{
        id: "claude-x",
        type: "model",
        display_name: "Claude X",
        max_input_tokens: 200_000,
        max_tokens: 64_000,
      }],
      has_more: true,
      first_id: "claude-x",
      last_id: "claude-x",
    },
    models: [{
      id: "claude-x",
      displayName: "Claude X",
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
    }],
    next: "claude-x",
  },
  {
    name: "Anthropic: the last page",
    format: "messages",
    body: { data: [{ id: "claude-y" }], has_more: false, last_id: "claude-y" },
    models: [{ id: "claude-y" }],
  },
  {
    name: "Google: without models that nothing here can call",
    format: "generate-content",
    body: {
      models: [
        {
          name: "models/gemini-x",
          displayName: "Gemini X",
          inputTokenLimit: 1_048_576,
          outputTokenLimit: 65_536,
          supportedGenerationMethods: ["generateContent", "countTokens"],
        },
        { name: "models/embedding-1", supportedGenerationMethods: ["embedContent"] },
        { name: "models/veo-x", supportedGenerationMethods: ["predictLongRunning"] },
      ],
      nextPageToken: "t2",
    },
    models: [{
      id: "gemini-x",
      displayName: "Gemini X",
      contextWindow: 1_048_576,
      maxOutputTokens: 65_536,
    }, { id: "embedding-1" }],
    next: "t2",
  },
  {
    name: "names that nobody writes",
    format: "chat-completions",
    body: {
      data: [
        { id: "org/Name-1.5:free", name: "Na\u0000me\u202e ".repeat(50) },
        { id: "a b" },
        { id: "a;b" },
        { id: "a\nb" },
        { id: "'a'" },
        { id: "a".repeat(201) },
      ],
    },
    models: [{ id: "org/Name-1.5:free", displayName: "Na me  ".repeat(50).slice(0, 100) }],
  },
  { name: "Google: none at all", format: "generate-content", body: {}, models: [] },
  {
    name: "rows of any shape",
    format: "chat-completions",
    body: { data: [{ id: "a", context_length: "many", name: 7 }, { id: 5 }, null, "b", {}] },
    models: [{ id: "a" }],
  },
];
for (const { name, format, body, models, next } of cases) {
  Deno.test(`modelListing of ${format}, ${name}`, () => {
    assertEquals(codecs[format].modelListing.decode(body), { models, ...(next && { next }) });
  });
}

for (const format of Object.keys(codecs) as FormatName[]) { // the registry's own keys
  Deno.test(`modelListing of ${format} refuses what is no list`, () => {
    const others = [null, 7, "x", { error: { message: "no" } }, { data: {} }, { models: "x" }];
    for (const body of others) {
      const error = assertThrows(() => codecs[format].modelListing.decode(body), GatewayError);
      assertEquals(error.code, "upstream_invalid_response");
    }
  });

  Deno.test(`modelListing of ${format} asks for the page after one`, () => {
    const { path } = codecs[format].modelListing;
    const next = new URL(`http://up.test${path("a b&c")}`);
    assertEquals([...next.searchParams.values()].includes("a b&c"), true);
    assertEquals(new URL(`http://up.test${path()}`).pathname, next.pathname);
  });
}

Deno.test("modelListing reads what this gateway lists", () => {
  const card: ModelCard = {
    id: "acme/large:free",
    displayName: "Acme Large",
    createdAtMs: 0,
    ownedBy: "acme",
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
    capabilities: [],
    formats: ["generate-content"],
  };
  const { id, displayName, contextWindow, maxOutputTokens } = card;
  const known = { id, displayName, contextWindow, maxOutputTokens };
  for (const format of ["chat-completions", "responses", "messages"] as const) {
    assertEquals(codecs[format].modelListing.decode(encodeModelList([card])).models, [known]);
  }
  const listed = codecs["generate-content"].modelListing.decode(encodeGenerateContent([card]));
  assertEquals(listed.models, [known]);
});
