import { assert, assertEquals } from "@std/assert";
import { decodeTokens, encodeTokens } from "../../../lib/formats/answer/logprobs.ts";

const texts = ["a", " the", "", "\x00", "\x7f", "é", "\u{1f600}", "a\u{1f600}"];
const utf8 = new TextEncoder();

function wireToken(token: string) {
  const known = { token, logprob: -0.5, bytes: [...utf8.encode(token)] };
  return { ...known, top_logprobs: [known] };
}

Deno.test("tokens: their bytes are those of UTF-8, and others than those are kept", () => {
  const wire = texts.map(wireToken);
  assertEquals(encodeTokens(decodeTokens(wire), []), wire);
  const odd = { ...wireToken("é"), bytes: [195], top_logprobs: [] };
  assertEquals(encodeTokens(decodeTokens([odd]), []), [odd]);
  const half = { ...wireToken("\ud800"), bytes: [239, 191, 189], top_logprobs: [] };
  assertEquals(encodeTokens(decodeTokens([half]), [])[0].bytes, [239, 191, 189]);
});

Deno.test("tokens: 100,000 are converted in the time of writing them a few times", () => {
  const wire = Array.from({ length: 100_000 }, () => wireToken(" the"));
  const writing = best(() => JSON.stringify(wire));
  const converting = best(() => encodeTokens(decodeTokens(wire), []));
  assert(converting < 20 * writing, `${converting} ms to convert, ${writing} ms to write`);
});

/** The shortest of several times, because other work on the machine only adds to them. */
function best(action: () => unknown): number {
  const times = Array.from({ length: 4 }, () => {
    const startMs = performance.now();
    action();
    return performance.now() - startMs;
  });
  return Math.min(...times);
}
