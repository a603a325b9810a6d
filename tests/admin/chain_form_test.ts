import { assertEquals } from "@std/assert";
import { membersText, readMembers } from "../../lib/admin/models/chain_form.ts";
import type { ChainMember } from "../../lib/store/catalog/mod.ts";

const members: readonly ChainMember[] = [
  { model: "vendor/a:1", sharePercent: 10, hours: "22:00-06:00" },
  { model: "b", causes: ["outage", "rate-limit"], budgetPercent: 80 },
  { model: "c", stream: true, tools: false, images: true },
];

Deno.test("readMembers reads what membersText writes", () => {
  assertEquals(readMembers(membersText(members)), members);
  assertEquals(readMembers("  a share=10% \n\n b after=refusal\n"), [
    { model: "a", sharePercent: 10 },
    { model: "b", causes: ["refusal"] },
  ]);
});

for (
  const text of [
    "",
    "a\na",
    "gpt-*",
    "a share=0",
    "a share=101",
    "a share",
    "a hours=25:00-06:00",
    "a after=hunger",
    "a stream=maybe",
    "a weight=2",
    Array.from({ length: 9 }, (_, at) => `m${at}`).join("\n"),
  ]
) {
  Deno.test(`readMembers refuses ${JSON.stringify(text)}`, () =>
    assertEquals(readMembers(text), undefined));
}
