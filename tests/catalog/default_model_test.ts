import { assertEquals } from "@std/assert";
import { defaultModel, purposeOf } from "../../lib/catalog/mod.ts";

const nowMs = Date.UTC(2026, 10, 22);

/** An excerpt of OpenAI's model list. */
const openai = [
  "babbage-002",
  "chatgpt-image-latest",
  "dall-e-3",
  "gpt-3.5-turbo-instruct",
  "gpt-4o-mini",
  "gpt-4o-transcribe",
  "gpt-5-nano",
  "gpt-5-pro",
  "gpt-6-luna",
  "gpt-6-sol",
  "gpt-image-1",
  "gpt-realtime",
  "omni-moderation-latest",
  "sora-2",
  "text-embedding-3-small",
  "tts-1",
  "whisper-1",
];

const cases:
  readonly (readonly [name: string, ids: readonly string[], chosen: string | undefined])[] = [
    ["the newest of the cheap ones at a vendor", openai, "gpt-6-luna"],
    [
      "a current one of another vendor",
      ["claude-haiku-4-5", "claude-haiku-5-5", "claude-opus-5-5"],
      "claude-haiku-5-5",
    ],
    ["the first for chat where no price is known", [
      "bge-m3:latest",
      "nomic-embed-text",
      "qwen3:4b",
    ], "qwen3:4b"],
    ["none where none is for chat", ["text-embedding-3-small", "whisper-1"], undefined],
    ["none where there is none", [], undefined],
    ["the embedded model", ["tessera-echo"], "tessera-echo"],
  ];

for (const [name, ids, chosen] of cases) {
  Deno.test(`default model: ${name}`, () => {
    assertEquals(defaultModel(ids.map((id) => ({ id })), nowMs), chosen);
    assertEquals(defaultModel(ids.toReversed().map((id) => ({ id })), nowMs), chosen);
  });
}

Deno.test("default model: the operator's own price counts before the catalog's", () => {
  const models = [{ id: "gpt-5-pro", price: { input: 0.01, output: 0.01 } }, { id: "gpt-5-nano" }];
  assertEquals(defaultModel(models, nowMs), "gpt-5-pro");
});

Deno.test("default model: a free preview is no bar for what costs little", () => {
  const models = [
    { id: "vendor/preview:free", price: { input: 0, output: 0 } },
    { id: "gpt-5-nano" },
  ];
  assertEquals(defaultModel(models, nowMs), "gpt-5-nano");
});

const purposes = {
  "text-embedding-3-large": "embedding",
  "openai/text-embedding-3-small": "embedding",
  "mistral-embed": "embedding",
  "BAAI/bge-m3": "embedding",
  "BAAI/bge-reranker-v2-m3": "rerank",
  "rerank-v3.5": "rerank",
  "gpt-4o-mini-tts": "speech",
  "gemini-2.5-flash-preview-tts": "other",
  "black-forest-labs/FLUX.1-schnell": "image",
  "whisper-large-v3-turbo": "transcription",
  "meta-llama/llama-guard-4-12b": "guard",
  "llama3.2:latest": "chat",
  "gpt-audio": "chat",
} as const;

for (const [id, purpose] of Object.entries(purposes)) {
  Deno.test(`purpose: ${id} is for ${purpose}`, () => assertEquals(purposeOf(id), purpose));
}
