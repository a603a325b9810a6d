import { assertEquals } from "@std/assert";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway, testKey } from "../gateway.ts";

/**
 * Endpoints that vendors document beyond their formats, as of November 2026: ours, one of their
 * models, and their own path.
 */
const documented: Readonly<
  Record<string, readonly (readonly [endpoint: Endpoint, model: string, path: string])[]>
> = {
  openai: [
    ["embeddings", "text-embedding-3-small", "/v1/embeddings"],
    ["embeddings", "text-embedding-ada-002", "/v1/embeddings"],
    ["completions", "gpt-3.5-turbo-instruct", "/v1/completions"],
    ["completions", "davinci-002", "/v1/completions"],
    ["images/generations", "gpt-image-1", "/v1/images/generations"],
    ["images/generations", "dall-e-3", "/v1/images/generations"],
    ["images/edits", "gpt-image-1", "/v1/images/edits"],
    ["audio/speech", "tts-1", "/v1/audio/speech"],
    ["audio/speech", "gpt-4o-mini-tts", "/v1/audio/speech"],
    ["audio/transcriptions", "whisper-1", "/v1/audio/transcriptions"],
    ["audio/transcriptions", "gpt-4o-transcribe", "/v1/audio/transcriptions"],
    ["audio/translations", "whisper-1", "/v1/audio/translations"],
    ["moderations", "omni-moderation-latest", "/v1/moderations"],
  ],
  google: [
    ["embeddings", "gemini-embedding-001", "/v1beta/openai/embeddings"],
    ["images/generations", "imagen-4.0-generate-001", "/v1beta/openai/images/generations"],
  ],
  openrouter: [
    ["embeddings", "openai/text-embedding-3-small", "/v1/embeddings"],
    ["completions", "openai/gpt-5-mini", "/v1/completions"],
  ],
  deepseek: [["completions", "deepseek-chat", "/beta/completions"]],
  mistral: [
    ["embeddings", "mistral-embed", "/v1/embeddings"],
    ["embeddings", "codestral-embed", "/v1/embeddings"],
    ["moderations", "mistral-moderation-latest", "/v1/moderations"],
    ["audio/transcriptions", "voxtral-mini-latest", "/v1/audio/transcriptions"],
  ],
  groq: [
    ["audio/speech", "canopylabs/orpheus-v1-english", "/v1/audio/speech"],
    ["audio/transcriptions", "whisper-large-v3", "/v1/audio/transcriptions"],
    ["audio/translations", "whisper-large-v3", "/v1/audio/translations"],
  ],
  xai: [
    ["images/generations", "grok-imagine-image", "/v1/images/generations"],
    ["images/edits", "grok-imagine-image", "/v1/images/edits"],
  ],
  together: [
    ["embeddings", "BAAI/bge-large-en-v1.5", "/v1/embeddings"],
    ["completions", "meta-llama/Llama-3.3-70B-Instruct-Turbo", "/v1/completions"],
    ["images/generations", "black-forest-labs/FLUX.1-schnell", "/v1/images/generations"],
    ["audio/speech", "cartesia/sonic-2", "/v1/audio/speech"],
    ["audio/transcriptions", "openai/whisper-large-v3", "/v1/audio/transcriptions"],
    ["audio/translations", "openai/whisper-large-v3", "/v1/audio/translations"],
    ["rerank", "Salesforce/Llama-Rank-V1", "/v1/rerank"],
  ],
  azure: [
    ["embeddings", "my-embeddings", "/openai/v1/embeddings"],
    ["completions", "my-instruct", "/openai/v1/completions"],
    ["images/generations", "my-images", "/openai/v1/images/generations"],
    ["images/edits", "my-images", "/openai/v1/images/edits"],
  ],
  fireworks: [
    ["embeddings", "fireworks/qwen3-embedding-8b", "/v1/embeddings"],
    ["embeddings", "nomic-ai/nomic-embed-text-v1.5", "/v1/embeddings"],
    ["completions", "accounts/fireworks/models/glm-4p6", "/v1/completions"],
    ["rerank", "fireworks/qwen3-reranker-8b", "/v1/rerank"],
  ],
  cerebras: [["completions", "gpt-oss-120b", "/v1/completions"]],
  qwen: [["embeddings", "text-embedding-v4", "/compatible-mode/v1/embeddings"]],
  zai: [
    ["images/generations", "cogview-4-250304", "/paas/v4/images/generations"],
    ["audio/transcriptions", "glm-asr-2512", "/paas/v4/audio/transcriptions"],
  ],
  ollama: [
    ["embeddings", "nomic-embed-text", "/v1/embeddings"],
    ["completions", "qwen3:4b", "/v1/completions"],
  ],
  "llama-cpp": [
    ["embeddings", "bge-m3", "/v1/embeddings"],
    ["completions", "qwen3-4b", "/v1/completions"],
    ["rerank", "bge-reranker-v2-m3", "/v1/rerank"],
  ],
  vllm: [
    ["embeddings", "intfloat/e5-small", "/v1/embeddings"],
    ["completions", "Qwen/Qwen3-8B", "/v1/completions"],
    ["audio/transcriptions", "openai/whisper-large-v3", "/v1/audio/transcriptions"],
    ["audio/translations", "openai/whisper-large-v3", "/v1/audio/translations"],
    ["rerank", "BAAI/bge-reranker-v2-m3", "/v1/rerank"],
  ],
  "lm-studio": [
    ["embeddings", "text-embedding-nomic-embed-text-v1.5", "/v1/embeddings"],
    ["completions", "qwen3-4b", "/v1/completions"],
  ],
};

const jsonBodies = {
  embeddings: { input: "hello" },
  completions: { prompt: "hello", max_tokens: 5 },
  "images/generations": { prompt: "a cat" },
  "audio/speech": { input: "hello", voice: "alloy" },
  moderations: { input: "hello" },
  rerank: { query: "a", documents: ["b"] },
} as const;
type Endpoint =
  | keyof typeof jsonBodies
  | "images/edits"
  | "audio/transcriptions"
  | "audio/translations";

function bodyOf(endpoint: Endpoint, model: string): BodyInit {
  if (endpoint in jsonBodies) {
    return JSON.stringify({ model, ...jsonBodies[endpoint as keyof typeof jsonBodies] }); // it is one of its keys
  }
  const form = new FormData();
  form.set("model", model);
  if (endpoint === "images/edits") form.set("prompt", "a cat");
  form.set(endpoint === "images/edits" ? "image" : "file", new Blob(["123"]), "a.bin");
  return form;
}

for (const [preset, calls] of Object.entries(documented)) {
  Deno.test(`preset ${preset}: everything that the vendor documents reaches it, with its key`, async () => {
    await using upstream = startUpstream(() =>
      Response.json({
        data: [],
        text: "a",
        results: [],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      })
    );
    await using gateway = await startGateway({
      upstreams: [{ id: "up", preset, baseUrl: upstream.base, apiKeys: ["vendor-key"] }],
    });
    const seen = [];
    for (const [endpoint, model] of calls) {
      const body = bodyOf(endpoint, model);
      const response = await fetch(`${gateway.base}/v1/${endpoint}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${testKey}`,
          ...(typeof body === "string" && { "content-type": "application/json" }),
        },
        body,
      });
      const answer = await response.text();
      const last = upstream.seen.at(-1);
      seen.push([endpoint, model, response.status === 200 ? last?.path ?? "" : answer]);
    }
    assertEquals(seen, calls.map((call) => [...call]));
    const key = preset === "azure" ? "api-key" : "authorization";
    const carried = new Set(upstream.seen.map(({ headers }) => headers.get(key)));
    assertEquals([...carried], [preset === "azure" ? "vendor-key" : "Bearer vendor-key"]);
  });
}

for (const preset of ["anthropic", "moonshot"]) {
  Deno.test(`preset ${preset}: its vendor documents formats alone`, async () => {
    const { relayed } =
      (await import("../../../lib/upstreams/presets/mod.ts")).presetNamed(preset) ??
        {};
    assertEquals([relayed, documented[preset]], [undefined, undefined]);
  });
}

const embedding = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.1] }],
  model: "text-embedding-3-small",
  usage: { prompt_tokens: 1_000, total_tokens: 1_000 },
};

Deno.test("preset openai: embeddings work within a budget, and cost what the vendor's list says", async () => {
  await using upstream = startUpstream(() => Response.json(embedding));
  await using gateway = await startGateway({
    upstreams: [{ id: "openai", preset: "openai", baseUrl: upstream.base, apiKeys: ["k"] }],
    keys: [{ name: "test", value: testKey, budget: { usd: 0.01, period: "day" } }],
  });
  const ask = (model: string) =>
    fetch(`${gateway.base}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input: "hello ".repeat(1_000) }),
    });
  const priced = await ask("text-embedding-3-small");
  assertEquals([priced.status, await priced.json()], [200, embedding]);
  const { listRequestLogs } = await import("../../../lib/store/log/mod.ts");
  const { rows: [row] } = await listRequestLogs(gateway.parts.store, {
    accountId: "owner",
    limit: 1,
  });
  assertEquals([row.model, row.costNanoUsd], ["text-embedding-3-small", 20_000n]);
  const unpriced = await ask("text-embedding-3-huge");
  assertEquals((await unpriced.json()).error.code, "model_unpriced");
});
