import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { keptWords } from "../../lib/upstreams/mod.ts";

const said = (message: string, type?: string, code?: string) =>
  new GatewayError("upstream_error", message, {
    upstreamStatus: 500,
    said: { message, type, code },
  });
const sent = (...texts: string[]) => ({
  body: { model: "a-model-with-a-very-long-name-2026", messages: texts },
  credentials: ["configured-credential"],
});
const prompt = "The figures of the last quarter are as bad as can be.";

for (
  const [name, error, texts, expected] of [
    ["words of its own stay", said("The server had an error"), [prompt], "The server had an error"],
    [
      "a quotation is cut out, words around it stay",
      said(`Refused: "${prompt}" is not allowed`),
      [prompt],
      'Refused: "…" is not allowed',
    ],
    [
      "a part of 20 characters is a quotation",
      said("Bad: figures of the last quarter!"),
      [prompt],
      "Bad:…!",
    ],
    [
      "less is a coincidence",
      said("Bad: the last quarter"),
      [prompt],
      "Bad: the last quarter",
    ],
    [
      "capitals and white space hide nothing",
      said("NO: THE  FIGURES\nOF THE LAST  QUARTER."),
      [prompt],
      "NO: ….",
    ],
    ["a model's name stays", said("No model a-model-with-a-very-long-name-2026"), [], undefined],
    ["nothing but a quotation is nothing", said(`${prompt}`), [prompt], undefined],
    ["a credential is masked", said("key configured-credential!"), [], "key …!"],
    ["half of another's key is masked", said("key sk-proj-abc***wxyz."), [], "key …"],
    ["a JWT is masked", said("token eyJhbGciOi.eyJzdWIi.sig_-x ok"), [], "token … ok"],
    ["tags are taken out", said("<b>bad</b><script>x()</script> gateway"), [], "bad gateway"],
    ["no text says nothing", said(""), [], undefined],
  ] as const
) {
  Deno.test(`kept words: ${name}`, () => {
    const { errorMessage } = keptWords(error, sent(...texts));
    if (name === "a model's name stays") assert(errorMessage?.startsWith("No model a-model"));
    else assertEquals(errorMessage, expected);
  });
}

Deno.test("kept words: type and code stay where they are names and nothing else", () => {
  const typeOf = (type: string, code?: string, ...texts: string[]) =>
    keptWords(said("No", type, code), sent(...texts)).errorType;
  assertEquals(typeOf("server_error"), "server_error");
  assertEquals(typeOf("RESOURCE_EXHAUSTED", ""), "RESOURCE_EXHAUSTED");
  assertEquals(typeOf("requests", "rate_limit_exceeded"), "requests, rate_limit_exceeded");
  assertEquals(typeOf("same", "same"), "same");
  assertEquals(
    typeOf("invalid_request_error", "", "why invalid_request_error?"),
    "invalid_request_error",
  );
  assertEquals(
    typeOf("InvalidParameter.DataInspection", "1301"),
    "InvalidParameter.DataInspection, 1301",
  );
  assertEquals(typeOf(prompt, "configured-credential"), undefined);
  assertEquals(typeOf("Hunter2-is-my-password-2026", "", "Hunter2-is-my-password-2026"), undefined);
  assertEquals(typeOf("x".repeat(65), "sk-abcdefgh12345678"), undefined);
});

Deno.test("kept words: the gateway's own message stays, but one of a limit, which the row has", () => {
  const own = new GatewayError("invalid_request", "Cannot decode request: messages[3] is empty");
  assertEquals(keptWords(own, sent(prompt)), {
    errorMessage: "Cannot decode request: messages[3] is empty",
  });
  const limit = { name: "key daily budget", kind: "money", remaining: 0n } as const;
  const refused = new GatewayError("insufficient_quota", "0 remains", { limit });
  assertEquals(keptWords(refused, sent(prompt)), {});
});

Deno.test("kept words: no run of 20 characters of a prompt stays, wherever it is quoted", () => {
  const text = fc.string({ unit: "grapheme", minLength: 20, maxLength: 400 })
    .filter((one) => !/[\s\\"']{2}/.test(one) && one.trim().length >= 20);
  fc.assert(
    fc.property(text, fc.string({ maxLength: 60 }), fc.nat(), fc.nat(), (secret, own, from, to) => {
      const start = from % secret.length;
      const quoted = secret.slice(start, start + 1 + to % secret.length);
      const { errorMessage = "" } = keptWords(said(`${own} ${quoted} ${own}`), sent(secret));
      for (let at = 0; at + 20 <= secret.length; at++) {
        assert(!errorMessage.includes(secret.slice(at, at + 20)), errorMessage);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("kept words: 2 MB that repeat what was said take no longer than reading them", () => {
  const repeated = "abcdefghij".repeat(200_000);
  const startedAt = performance.now();
  const words = keptWords(said("abcdefghijX".repeat(180)), sent(repeated, prompt));
  const tookMs = performance.now() - startedAt;
  assert(tookMs < 1_500, `${tookMs} ms`);
  assert(words.errorMessage !== undefined);
});

Deno.test("kept words: of a request that is too long to search nothing is kept", () => {
  const words = keptWords(
    said("The server had a long error", "server_error"),
    sent("x y ".repeat(2_100_000)),
  );
  assertEquals(words, { errorType: "server_error" });
});
