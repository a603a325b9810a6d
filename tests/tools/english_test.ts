import { assertEquals } from "@std/assert";
import plugin from "../../tools/english/lint_plugin.ts";
import { breachesIn } from "../../tools/english.ts";

const refused: Readonly<Record<string, string>> = {
  "What a start prints.": "clause as subject",
  "Saves the row. Who waits for it, goes on.": "clause as subject",
  "Whoever opens the link chooses a password.": "clause as subject",
  "Whose call it is.": "clause as subject",
  "Whether the key works.": "clause as subject",
  "whatever the vendor says": "clause as subject",
  "Which upstreams answered.": "clause as subject",
  "How long a caller waits, in milliseconds.": "clause as subject",
  "Why a call failed.": "clause as subject",
  "When the call ended.": "clause as subject",
  "Where the store is.": "clause as subject",
  "- one\n- what follows": "clause as subject",
  "| key | what it says |": "clause as subject",
  "The names besides its own.": '"besides": write also, or except',
  "A retry mends it.": '"mends": write fix',
  "Used lately.": '"lately": write recently',
  "It is gone for good.": '"for good": write permanently',
  "The caller is told.": '"told": write report, notify, return or show',
  "An answer that has begun.": '"begun": write started',
  "Its name stands in the row.": '"stands": write is, or is listed',
  "Rows that bear a label.": '"bear": write has, or carries',
  "A row lies in a page.": '"lies": write is, or is stored',
  "The key to whom it belongs.": '"whom": write a plain word',
  "The upstream is well.": '"is well": write healthy, or succeeded',
  "The test went well.": '"went well": write healthy, or succeeded',
};

for (const [text, rule] of Object.entries(refused)) {
  Deno.test(`english: refuses "${text.replace("\n", " ")}"`, () => {
    assertEquals(breachesIn(text).map((breach) => breach.rule), [rule]);
  });
}

const passed = [
  "Time until the caller gets an answer, in milliseconds.",
  "What is a key?",
  "When a call ends, its row is written.",
  "Where a vendor states no price, the call is free.",
  "How to add a format",
  "# How it works",
  "See `what`, `told` and “what it stands for”.",
  "Two names that tell one call apart from another.",
  "Cannot tell a key from its copy.",
  "A stand-in for the vendor, which understands it as well as the vendor.",
  "Bearer tokens are well known.",
  "A mode of somewhat whole bodies. The whole is read.",
];

for (const text of passed) {
  Deno.test(`english: passes "${text}"`, () => assertEquals(breachesIn(text), []));
}

function breachesOfFile(name: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, name, source).map(({ message, range }) =>
    `${range[0]} ${message.split(":")[0]}`
  );
}

Deno.test("english: comments are read as blocks, from the place of their sentence", () => {
  const source = "// Returns the row,\n// what else.\nconst a = 1;\n/**\n * What it is.\n */\n";
  const at = source.indexOf("What");
  assertEquals(breachesOfFile("/lib/a.ts", source), [`${at} clause as subject`]);
});

Deno.test("english: texts are read, code and short strings are not", () => {
  const source = 'const what = "what a";\nconst text = `What ${what} costs here`;\n';
  const at = source.indexOf("What");
  assertEquals(breachesOfFile("/lib/a.ts", source), [`${at} clause as subject`]);
});

Deno.test("english: tests are read by their names alone", () => {
  const source = `const prompt = "What he told me once";
Deno.test("what a caller gets", () => {});
const cases = [{ name: "who pays for it", input: "who pays for it" }];`;
  assertEquals(breachesOfFile("/tests/a_test.ts", source).length, 2);
});
