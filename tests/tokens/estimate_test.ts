import { assert } from "@std/assert";
import fc from "fast-check";
import {
  formatNames,
  GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import {
  countRequestTokens,
  countTextTokens,
  estimatedInputTokens,
  estimatedTextTokens,
} from "../../lib/tokens/mod.ts";
import { conversation, oddConversation } from "../formats/conversation.ts";
import { modelOf, recordedCases, wireOf } from "../formats/recorded_wire.ts";
import { agentRequests } from "../formats/requests/agent_requests.ts";

const said = (content: unknown): JsonObject =>
  JSON.parse(JSON.stringify({ model: "m", messages: [{ role: "user", content }] }));

/** The tokens that a text adds to a request. */
const estimated = (text: string) =>
  estimatedInputTokens(said(text)) - estimatedInputTokens(said(""));

const english = "The quick brown fox jumps over the lazy dog, and nobody knows why. ";

/** Texts of people and programs; the estimate may exceed the count by this factor. */
const texts: readonly { readonly name: string; readonly text: string; readonly factor?: number }[] =
  [
    { name: "English", text: english },
    { name: "German", text: "Der schnelle braune Fuchs springt über den faulen Hund, gemütlich. " },
    {
      name: "French",
      text: "L'été dernier, nous avons visité la forêt où l'écureuil s'était caché. ",
    },
    { name: "Polish", text: "Zażółć gęślą jaźń, w Szczebrzeszynie chrząszcz brzmi w trzcinie. " },
    {
      name: "Vietnamese",
      text: "Tất cả mọi người sinh ra đều được tự do và bình đẳng. ",
      factor: 3,
    },
    { name: "Finnish", text: "Kaikki ihmiset syntyvät vapaina ja tasavertaisina oikeuksiltaan. " },
    { name: "Russian", text: "Все люди рождаются свободными и равными в своем достоинстве. " },
    { name: "Greek", text: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι. " },
    { name: "Arabic", text: "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. " },
    { name: "Hebrew", text: "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. " },
    { name: "Hindi", text: "सभी मनुष्यों को गौरव और अधिकारों के मामले में समानता प्राप्त है। ", factor: 4 },
    { name: "Thai", text: "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์ " },
    { name: "Amharic", text: "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው። " },
    { name: "Chinese", text: "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。" },
    { name: "Japanese", text: "すべての人間は、生まれながらにして自由であり、平等である。" },
    {
      name: "Korean",
      text: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
    },
    { name: "emoji", text: "Well done! 😀🎉👩‍👩‍👧🚀❤️🇩🇪 " },
    {
      name: "code",
      text: "export function add(a: number, b: number): number {\n  return a + b;\n}\n\n",
    },
    { name: "JSON", text: '{"id":"call_1","items":[{"name":"a","price":1.25,"tags":["x","y"]}]},' },
    { name: "a log", text: "2026-11-21T19:04:11.123Z INFO [worker-3] GET /v1/models 200 12ms\n" },
    { name: "a table of digits", text: "1,2,3,4,5,6,7,8,9,0," },
    { name: "a table of numbers", text: "12.5, 1024.75, 3.14159, 42, " },
    {
      name: "a path",
      text: "    at run (/home/user/app/node_modules/.pnpm/a@1.2.3/dist/index.js:1:45)\n",
    },
    { name: "upper case", text: english.toUpperCase() },
    { name: "a hash", text: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 " },
    { name: "mathematics", text: "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β, ℕ ⊆ ℤ ⊂ ℚ ⊂ ℝ " },
  ];

for (const { name, text, factor = 2.2 } of texts) {
  Deno.test(`estimatedInputTokens of ${name}: at least what a tokenizer counts, and not much more`, () => {
    const long = text.repeat(20);
    const counted = countTextTokens(long);
    assert(estimated(long) >= counted, `${estimated(long)} < ${counted}`);
    assert(estimated(long) <= counted * factor, `${estimated(long)} > ${factor} × ${counted}`);
  });
}

Deno.test("estimatedInputTokens of English is about a token for three characters", () => {
  const text = english.repeat(100);
  const charsPerToken = text.length / estimated(text);
  assert(charsPerToken > 2.4 && charsPerToken < 3.4, `${charsPerToken}`);
});

Deno.test("estimatedInputTokens law: never below the tokenizer's count of a request of any format", () => {
  const anyConversation = fc.oneof(conversation, oddConversation);
  const anyFormat = fc.constantFrom(...formatNames);
  fc.assert(
    fc.property(anyConversation, anyFormat, (request, format) => {
      const wire = sayable(() => encodeAtOnce(codecs[format], request).wire);
      const counted = wire && sayable(() => countRequestTokens(codecs[format].decodeRequest(wire)));
      if (!wire || counted === undefined) return;
      const estimate = estimatedInputTokens(JSON.parse(JSON.stringify(wire.body)));
      assert(estimate >= counted, `${estimate} < ${counted}: ${JSON.stringify(wire.body)}`);
    }),
    { numRuns: 300 },
  );
});

/** Returns undefined for content that a format does not have. */
function sayable<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

for (const { name, format, wire } of agentRequests) {
  Deno.test(`estimatedInputTokens of ${name}'s request: at least the tokenizer's count`, () => {
    const counted = countRequestTokens(codecs[format].decodeRequest(wire));
    assert(estimatedInputTokens(wire.body) >= counted);
  });
}

/** The tokenizer counts the sealed pages of a search as text, twice what the vendor counted. */
const sealedPages = new Set(["webSearchToolAdvancedParam", "webSearchToolParam"]);

for (const [name, recorded] of recordedCases()) {
  Deno.test(`estimatedInputTokens of recorded ${name}: at least the tokenizer's count`, () => {
    for (const format of formatNames) {
      const recording = recorded[format];
      for (const file of ["request", "followup-request"]) {
        const body = recording?.files[file];
        if (!isJsonObject(body) || (format === "messages" && sealedPages.has(name))) continue;
        const wire = wireOf[format](body, modelOf(format, recording));
        const counted = countRequestTokens(codecs[format].decodeRequest(wire));
        assert(estimatedInputTokens(body) >= counted, `${format} ${file}: below ${counted}`);
      }
    }
  });
}

const megabyte = "A".repeat(1_000_000);
const picture = { media_type: "image/png", type: "base64", data: megabyte };

/** Media at every position where a format holds them; `most` is the maximum estimate. */
const media: readonly { readonly name: string; readonly body: unknown; readonly most: number }[] = [
  {
    name: "a picture of chat-completions",
    body: { type: "image_url", image_url: { url: `data:image/png;base64,${megabyte}` } },
    most: 2_000,
  },
  {
    name: "a picture by URL",
    body: { type: "image_url", image_url: { url: "https://example.test/a.png" } },
    most: 2_000,
  },
  {
    name: "a recording",
    body: { type: "input_audio", input_audio: { data: megabyte, format: "wav" } },
    most: 1_000,
  },
  {
    name: "a file",
    body: { type: "file", file: { file_data: `data:application/pdf;base64,${megabyte}` } },
    most: 25_000,
  },
  {
    name: "a picture of responses",
    body: { type: "input_image", image_url: `data:image/png;base64,${megabyte}` },
    most: 2_000,
  },
  { name: "a stored file", body: { type: "input_file", file_id: "file_1" }, most: 2_000 },
  { name: "a picture of messages", body: { type: "image", source: picture }, most: 2_000 },
  {
    name: "a picture in a tool's result",
    body: { type: "tool_result", tool_use_id: "a", content: [{ type: "image", source: picture }] },
    most: 2_000,
  },
  {
    name: "a picture of generate-content",
    body: { inlineData: { mimeType: "image/png", data: megabyte } },
    most: 2_000,
  },
  {
    name: "a proof",
    body: { type: "reasoning", summary: [], encrypted_content: megabyte },
    most: 260_000,
  },
  { name: "a picture pasted as text", body: { type: "text", text: megabyte }, most: 701_000 },
];

for (const { name, body, most } of media) {
  Deno.test(`estimatedInputTokens of ${name}: at most ${most}`, () => {
    const added = estimatedInputTokens(said([body])) - estimatedInputTokens(said([]));
    assert(added > 0 && added <= most, `${added}`);
  });
}

Deno.test("estimatedInputTokens takes nothing for a medium that a model reads as text", () => {
  const text = english.repeat(100);
  const counted = countTextTokens(text);
  const document = { type: "text", media_type: "text/plain", data: text };
  for (
    const content of [
      [{ type: "text", text, data: megabyte.slice(0, 9) }],
      [{ type: "document", source: document }],
      [{ type: "tool_use", id: "a", name: "f", input: { data: text, url: "x", signature: text } }],
      [{ type: "text", text: `data:text/plain;base64,${text}` }],
    ]
  ) assert(estimatedInputTokens(said(content)) >= counted, JSON.stringify(content).slice(0, 60));
});

Deno.test("estimatedInputTokens is cheap: a megabyte in milliseconds, whatever is in it", () => {
  const bodies = [
    said(english.repeat(15_000)),
    said("人人生而自由。".repeat(50_000)),
    said(Array.from({ length: 10_000 }, (_, at) => ({ type: "text", text: `${english}${at}` }))),
    said(Array.from({ length: 200_000 }, () => [1])),
  ];
  for (const body of bodies) estimatedInputTokens(body);
  for (const body of bodies) {
    const started = performance.now();
    estimatedInputTokens(body);
    assert(performance.now() - started < 100); // twenty times the usual time
  }
});

Deno.test("estimatedInputTokens accepts a body of any depth", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}1${"]".repeat(100_000)}`);
  assert(estimatedInputTokens({ messages: deep }) > 0);
});

Deno.test("estimatedTextTokens counts a long ASCII text as it counts it before another character", () => {
  const ascii = fc.string({
    unit: fc.constantFrom(..."aZ9 .\n{}_"),
    minLength: 200,
    maxLength: 3_000,
  });
  fc.assert(fc.property(ascii, (text) => {
    const ofAccent = estimatedTextTokens("\u00e9");
    const tokens = estimatedTextTokens(`${text}\u00e9`) - ofAccent;
    assert(Math.abs(estimatedTextTokens(text) - tokens) < 1e-6);
  }));
});
