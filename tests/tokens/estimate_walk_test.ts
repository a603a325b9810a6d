import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/canonical/mod.ts";
import { mediumTokens, proofTokens } from "../../lib/tokens/media.ts";
import { estimateAhead, estimatedInputTokens, estimatedTextTokens } from "../../lib/tokens/mod.ts";
import { conversation, oddConversation } from "../formats/conversation.ts";

const name = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("data", "type", "url", "image_url", "signature", "text", "__proto__"),
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("url", "text", "x".repeat(70), "data:image/png;base64,AAAA"),
);
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(name, tie("value"), { maxKeys: 5 }),
  ),
})).value;
const body = fc.oneof(
  fc.dictionary(name, json, { maxKeys: 6 }),
  fc.record({ messages: fc.array(json, { maxLength: 8 }) }),
  fc.oneof(conversation, oddConversation).map((request) => ({ request })),
).map((value): JsonObject => JSON.parse(JSON.stringify(value)));

Deno.test("estimatedInputTokens: equals the sum over the members in their order", () => {
  fc.assert(
    fc.property(body, (body) => assertEquals(estimatedInputTokens(body), summedTokens(body))),
    { numRuns: 300 },
  );
});

const large: readonly { readonly name: string; readonly body: JsonObject }[] = [
  { name: "list of numbers", body: { input: [1.5, ["x"], ...new Array(30_000).fill(0.1)] } },
  {
    name: "object",
    body: { input: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`n${at}`, at])) },
  },
  {
    name: "list of large objects",
    body: {
      input: Array.from({ length: 3 }, (_, at) => ({
        ...Object.fromEntries(
          Array.from({ length: 9_000 }, (_, no) => [`${no}`, [at, "text", no]]),
        ),
      })),
    },
  },
  { name: "text", body: { input: "word ".repeat(200_000) } },
];
for (const { name, body } of large) {
  Deno.test(`estimateAhead: pauses within a large ${name}, and counts the same`, async () => {
    let pauses = 0;
    await estimateAhead(body, () => void pauses++);
    assert(pauses > 1);
    assertEquals(estimatedInputTokens(body), summedTokens(body));
    assertEquals(estimatedInputTokens({ ...body }), summedTokens(body));
  });
}

const stepChars = 128 * 1024;

/** The same estimate without pauses; in the same order, because the sum of fractions depends on it. */
function summedTokens(body: JsonObject): number {
  let tokens = 4;
  const waiting: { readonly name: string; readonly value: JsonValue | undefined }[] = [
    { name: "", value: body },
  ];
  const textTokens = (text: string) => {
    if (text.length <= stepChars) return estimatedTextTokens(text);
    for (let at = 0; at < text.length; at += stepChars) {
      waiting.push({ name: "", value: text.slice(at, at + stepChars) });
    }
    return 0;
  };
  const leafTokens = (value: JsonValue | undefined) => 1 + estimatedTextTokens(String(value));
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { name, value } = node;
    if (Array.isArray(value)) {
      for (const item of value) {
        if (typeof item === "object" || typeof item === "string") {
          waiting.push({ name, value: item });
        } else tokens += leafTokens(item);
      }
    } else if (isJsonObject(value)) {
      tokens += 5;
      for (const member in value) {
        const own = value[member];
        const named = estimatedTextTokens(member) + 1;
        if (typeof own === "object") waiting.push({ name: member, value: own });
        tokens += typeof own === "object"
          ? named
          : typeof own !== "string"
          ? named + leafTokens(own)
          : named + 1 +
            (mediumTokens(member, value, name) ?? proofTokens(member, own, value) ??
              textTokens(own));
      }
    } else tokens += typeof value === "string" ? 1 + textTokens(value) : leafTokens(value);
  }
  return Math.ceil(tokens - 1e-6);
}

Deno.test("a list of long vectors is counted without boxing its numbers", () => {
  const vector = `[${Array.from({ length: 3_072 }, (_, n) => `0.${1 + n % 9}1`).join()}]`;
  const body = JSON.parse(`{"input":[${Array(2_048).fill(vector).join()}]}`);
  const before = Deno.memoryUsage().heapUsed;
  estimatedInputTokens(body);
  const grown = (Deno.memoryUsage().heapUsed - before) / 2 ** 20;
  assert(grown < 80, `the heap grew by ${grown.toFixed()} MiB`); // 6.3 million boxes take 144
});
