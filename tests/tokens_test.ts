import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type CanonicalRequest, GatewayError, type Part } from "../lib/canonical/mod.ts";
import {
  countRequestTokens,
  countTextTokens,
  cutToTokens,
  measureRequest,
} from "../lib/tokens/mod.ts";
import { bareRequest } from "./formats/requests/bare_request.ts";

// Counts of the vendor's own tokenizer for o200k_base.
const known: readonly [string, number][] = [
  ["", 0],
  ["hello world", 2],
  ["日本語のテキストです。今日はいい天気ですね。", 14],
  ["I'm you'RE we'll DON'T CamelCaseWord HTTPServer", 11],
  ["a".repeat(1000), 125],
  [" \n\n  \r\n x", 3],
];

for (const [text, expected] of known) {
  Deno.test(`countTextTokens: ${JSON.stringify(text.slice(0, 30))}`, () => {
    assertEquals(countTextTokens(text), expected);
  });
}

Deno.test("countTextTokens takes control markers for plain text", () => {
  assert(countTextTokens("<|endoftext|>") > 3);
  assertEquals(
    countTextTokens("a <|im_start|> b"),
    countTokens("a <|im_start|> b", { disallowedSpecial: new Set() }),
  );
});

Deno.test("countTextTokens law: a text that is counted in steps counts as the tokenizer counts it", () => {
  const piece = fc.constantFrom(
    "word",
    "Word's",
    "don't",
    "12345",
    "—",
    "\n",
    "  ",
    "日本",
    "x=y;",
    "é",
    "",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 50, maxLength: 200 }), (pieces) => {
      const text = `${pieces.join(" ")} `.repeat(Math.ceil(40_000 / pieces.join(" ").length));
      if (/[\p{L}\p{M}]{64}|\s{64}|[^\s\p{L}\p{M}\p{N}]{64}/u.test(text)) return;
      if (!/[a-z] [a-z]/i.test(text)) return; // no place between two words to cut at
      assertEquals(countTextTokens(text), countTokens(text));
    }),
    { numRuns: 30 },
  );
});

Deno.test("countTextTokens law: text without long runs counts as the tokenizer counts it", () => {
  const words = fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 50 });
  fc.assert(fc.property(words.map((all) => all.join(" ")), (text) => {
    if (/[\p{L}\p{M}]{64}|\s{64}|[^\s\p{L}\p{M}\p{N}]{64}/u.test(text)) return;
    assertEquals(countTextTokens(text), countTokens(text, { disallowedSpecial: new Set() }));
  }));
});

function chars(count: number, code: (at: number) => number): string {
  return Array.from({ length: count }, (_, at) => String.fromCodePoint(code(at))).join("");
}

const megabyte = 1_000_000;
const long: readonly { name: string; text: string }[] = [
  ...["a", " ", "\n", "=", "日", "é", "़", "\ud800", "👩‍👩‍👧", " \n", "'s"].map((unit) => ({
    name: JSON.stringify(unit),
    text: unit.repeat(megabyte / unit.length),
  })),
  { name: "changing letters", text: chars(megabyte, (at) => 0x4e00 + at * 7919 % 20_000) },
  { name: "changing signs", text: chars(megabyte, (at) => 33 + at * at % 94) },
];

countTextTokens("load the tokenizer before the clock runs");
for (const { name, text } of long) {
  Deno.test(`countTextTokens is bounded: a megabyte of ${name}`, () => {
    const started = performance.now();
    assert(countTextTokens(text) > 0);
    assert(performance.now() - started < 3_000);
  });
}

Deno.test("countTextTokens estimates beyond half a megabyte by what it has counted", () => {
  const part = "The quick brown fox jumps over the lazy dog. ".repeat(10_000);
  const estimate = countTextTokens(part.repeat(4));
  assert(Math.abs(estimate / (countTextTokens(part) * 4) - 1) < 0.001);
});

Deno.test("cutToTokens law: a beginning of the text with at most so many tokens", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(60), (text, max) => {
      const cut = cutToTokens(text, max);
      assert(text.startsWith(cut));
      assert(cut.isWellFormed());
      if (countTextTokens(text) <= max) assertEquals(cut, text);
      else assert(cut.length < text.length);
      assert(countTextTokens(cut) <= max + 1); // a cut may split a token
    }),
  );
});

const empty: CanonicalRequest = {
  ...bareRequest,
  stream: false,
};
const said = (...parts: Part[]): CanonicalRequest => ({
  ...empty,
  turns: [{ role: "user", parts }],
});
const base64 = (bytes: readonly number[]) => new Uint8Array(bytes).toBase64();
const word = "internationalisation ";

const counted: readonly { name: string; request: CanonicalRequest }[] = [
  { name: "instructions", request: { ...empty, instructions: [{ type: "text", text: word }] } },
  { name: "text", request: said({ type: "text", text: word }) },
  { name: "thoughts", request: said({ type: "reasoning", text: word, visibility: "raw" }) },
  {
    name: "calls",
    request: said({ type: "tool-call", id: "a", name: "get", arguments: word, kind: "function" }),
  },
  {
    name: "results",
    request: said({
      type: "tool-result",
      callId: "a",
      kind: "function",
      isError: false,
      parts: [{ type: "text", text: word }],
    }),
  },
  {
    name: "items of one format",
    request: said({ type: "native", format: "responses", value: { a: word } }),
  },
  { name: "documents", request: said({ type: "file", source: { type: "text", text: word } }) },
  {
    name: "function tools",
    request: {
      ...empty,
      tools: [{ type: "function", name: "f", parameters: { description: word } }],
    },
  },
  {
    name: "custom tools",
    request: {
      ...empty,
      tools: [{ type: "custom", name: "f", grammar: { syntax: "regex", definition: word } }],
    },
  },
  {
    name: "schemas",
    request: { ...empty, output: { type: "schema", schema: { description: word } } },
  },
];

for (const { name, request } of counted) {
  Deno.test(`countRequestTokens counts ${name}`, () => {
    const longer = JSON.parse(JSON.stringify(request).replaceAll(word, word.repeat(101)));
    const added = countRequestTokens(longer) - countRequestTokens(request);
    assertEquals(added, countTextTokens(word.repeat(101)) - countTextTokens(word));
  });
}

const png = (width: number, height: number) =>
  base64([
    137,
    80,
    78,
    71,
    13,
    10,
    26,
    10,
    0,
    0,
    0,
    13,
    73,
    72,
    68,
    82,
    ...uint32(width),
    ...uint32(height),
  ]);
const uint32 = (value: number) => [24, 16, 8, 0].map((shift) => value >>> shift & 255);
const uint16 = (value: number) => [value >>> 8, value & 255];
const ascii = (text: string) => [...text].map((char) => char.charCodeAt(0));
const webp = (kind: string, rest: readonly number[]) =>
  base64([
    ...ascii("RIFF"),
    0,
    0,
    0,
    0,
    ...ascii("WEBP"),
    ...ascii(kind),
    ...rest,
    ...Array(20).fill(0),
  ]);
const unknownImageTokens = 1100;

const pictures: readonly { name: string; data: string; tokens: number }[] = [
  { name: "PNG", data: png(750, 100), tokens: 100 },
  { name: "PNG of one pixel", data: png(1, 1), tokens: 1 },
  { name: "PNG that is scaled down", data: png(15_680, 100), tokens: 21 },
  { name: "PNG as large as there are", data: png(4_000_000_000, 4_000_000_000), tokens: 1600 },
  { name: "PNG of no size", data: png(0, 10), tokens: unknownImageTokens },
  { name: "GIF", data: base64([...ascii("GIF89a"), 238, 2, 100, 0, 0, 0]), tokens: 100 },
  {
    name: "JPEG",
    data: base64([
      255,
      216,
      255,
      224,
      0,
      4,
      1,
      2,
      255,
      192,
      0,
      17,
      8,
      ...uint16(100),
      ...uint16(750),
    ]),
    tokens: 100,
  },
  {
    name: "JPEG without a frame",
    data: base64([255, 216, 255, 224, 0, 4, 1, 2]),
    tokens: unknownImageTokens,
  },
  {
    name: "JPEG whose segment has no length",
    data: base64([255, 216, 255, 224, 0, 0, 255, 224, 0, 0, 0, 0]),
    tokens: unknownImageTokens,
  },
  {
    name: "WebP, lossy",
    data: webp("VP8 ", [0, 0, 0, 0, 0, 0, 0, 157, 1, 42, 238, 2, 100, 0]),
    tokens: 100,
  },
  {
    name: "WebP, lossless",
    data: webp("VP8L", [0, 0, 0, 0, 47, 749 & 255, 749 >> 8 | (99 & 3) << 6, 99 >> 2, 0]),
    tokens: 100,
  },
  {
    name: "WebP, extended",
    data: webp("VP8X", [0, 0, 0, 0, 0, 0, 0, 0, 237, 2, 0, 99, 0, 0]),
    tokens: 100,
  },
  { name: "no picture at all", data: base64(ascii("hello hello")), tokens: unknownImageTokens },
  { name: "no base64 at all", data: "!!!", tokens: unknownImageTokens },
  { name: "nothing", data: "", tokens: unknownImageTokens },
];

for (const { name, data, tokens } of pictures) {
  Deno.test(`countRequestTokens of a picture: ${name}`, () => {
    const image = said({ type: "image", source: { type: "base64", data } });
    assertEquals(countRequestTokens(image) - countRequestTokens(said()) - 1, tokens);
  });
}

Deno.test("countRequestTokens law: any bytes are a picture of bounded cost", () => {
  const heads = fc.constantFrom([255, 216, 255], ascii("GIF8"), [137, 80, 78, 71, 13, 10, 26, 10], [
    ...ascii("RIFF0000WEBPVP8X"),
  ]);
  fc.assert(fc.property(heads, fc.uint8Array({ maxLength: 60 }), (head, rest) => {
    const data = base64([...head, ...rest]);
    const tokens = countRequestTokens(said({ type: "image", source: { type: "base64", data } }));
    assert(tokens > 0 && tokens < 2_000);
  }));
});

Deno.test("countRequestTokens counts a picture by its size, never by its base64", () => {
  const data = png(750, 100) + "A".repeat(4_000_000);
  const image = said({ type: "image", source: { type: "base64", data } });
  assertEquals(countRequestTokens(image) - countRequestTokens(said()) - 1, 100);
});

const data = base64(Array(3200).fill(65));
const media: readonly { name: string; part: Part; tokens: number; audio?: number }[] = [
  { name: "audio", part: { type: "audio", source: { type: "base64", data } }, tokens: 0, audio: 4 },
  { name: "video", part: { type: "video", source: { type: "base64", data } }, tokens: 4 },
  { name: "a file", part: { type: "file", source: { type: "base64", data } }, tokens: 100 },
  {
    name: "a file of text",
    part: { type: "file", mediaType: "application/json", source: { type: "base64", data } },
    tokens: 800,
  },
  {
    name: "a file by URL",
    part: { type: "file", source: { type: "url", url: "https://x" } },
    tokens: 1000,
  },
  {
    name: "a picture in low detail",
    part: { type: "image", detail: "low", source: { type: "url", url: "https://x" } },
    tokens: 85,
  },
];

for (const { name, part, tokens, audio = 0 } of media) {
  Deno.test(`measureRequest of ${name}`, () => {
    const measured = measureRequest(said(part));
    assertEquals(measured.inputTokens - measureRequest(said()).inputTokens - 1, tokens);
    assertEquals(measured.audioInputTokens, audio);
  });
}

Deno.test("countRequestTokens is bounded over many long texts", () => {
  const texts = Array.from({ length: 20 }, (_, at): Part => ({
    type: "text",
    text: chars(megabyte / 4, (place) => 0x4e00 + (place * 7919 + at) % 20_000),
  }));
  const started = performance.now();
  assert(countRequestTokens(said(...texts)) > megabyte);
  assert(performance.now() - started < 4_000);
});

Deno.test("countRequestTokens refuses a schema without a bottom with an error of ours", () => {
  const text = `${'{"items":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  let error: unknown;
  try {
    countRequestTokens({
      ...empty,
      tools: [{ type: "function", name: "f", parameters: JSON.parse(text) }],
    });
  } catch (thrown) {
    error = thrown;
  }
  assert(error === undefined || error instanceof GatewayError && error.code === "invalid_request");
});
