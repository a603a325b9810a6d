import { assertEquals } from "@std/assert";
import { z } from "zod";
import { boundsIn } from "../../lib/admin/bounds.ts";
import { boundsFields } from "../../lib/admin/bound_names.ts";
import { newKeyDraft } from "../../lib/console/keys/key_form.ts";
import { boundsInput } from "../../lib/management/bounds.ts";

const options = { accountId: "a", groupIds: ["default"], nowMs: 0 };

for (
  const [text, isTaken] of [
    ["1", true],
    ["1000000001", true],
    ["999999999999", true],
    ["1000000000000", false],
    ["0", false],
    ["1.5", false],
  ] as const
) {
  Deno.test(`bounds: every form and the API ${isTaken ? "take" : "refuse"} a limit of ${text}`, () => {
    const account = boundsIn({ concurrency: text }, {}).faults;
    const key = newKeyDraft({ name: "k", group: "default", concurrency: text }, options);
    const limits = { concurrency: Number(text) };
    const faults = isTaken ? {} : { concurrency: "whole" as const };
    assertEquals(account, faults);
    assertEquals(key.type === "invalid" ? key.faults : {}, faults);
    assertEquals(z.strictObject(boundsInput).safeParse({ limits }).success, isTaken);
  });
}

Deno.test("bounds: a form has a field for each budget and limit, in this order", () => {
  assertEquals(boundsFields, [
    "budgetDay",
    "budgetWeek",
    "budgetMonth",
    "budgetTotal",
    "requestsPerMinute",
    "tokensPerMinute",
    "concurrency",
  ]);
});
