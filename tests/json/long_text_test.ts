import { assert, assertEquals } from "@std/assert";
import { matchesIn } from "../../lib/json/long_text.ts";
import { AsciiText, type ReadText } from "../../lib/json/read_text.ts";
import { Pace } from "../../lib/pace.ts";

const patterns = [/image/i, /"(?:1|12)h"/, /absent/];

/** The length of the parts that are searched one by one. */
const partChars = 256 * 1024;

for (let before = partChars - 8; before <= partChars + 1; before++) {
  Deno.test(`matchesIn finds the words that begin at ${before}`, async () => {
    const text = `${"x".repeat(before)}IMAGE${"x".repeat(partChars)}"12h"${"x".repeat(9)}`;
    assertEquals(await matchesIn(asText(text), patterns, new Pace()), 'IMAGE\n"12h"');
    assertEquals(await matchesIn(asBytes(text), patterns, new Pace()), 'IMAGE\n"12h"');
  });
}

Deno.test("matchesIn searches only the parts that a hint matches", async () => {
  const text = `image${"x".repeat(2 * partChars)}hint image`;
  assertEquals(await matchesIn(asText(text), [/image\b/], new Pace(), [/hint/]), "image");
  assertEquals(await matchesIn(asText(text), [/image\b/], new Pace(), [/none/]), "");
});

Deno.test("matchesIn searches the outline of a body that has one", async () => {
  const read = { ...asText("image"), outline: "no picture" };
  assertEquals(await matchesIn(read, patterns, new Pace()), "");
});

Deno.test("matchesIn gives way to other work", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await matchesIn(asText("a long text ".repeat(3_000_000)), [/imago|omage/i, /ab+c/i], new Pace());
  clearInterval(timer);
  assert(turns > 0);
});

function asText(text: string): ReadText {
  return { text, body: {} };
}

function asBytes(text: string): ReadText {
  return new AsciiText(new TextEncoder().encode(text), { body: {} });
}
