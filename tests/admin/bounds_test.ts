import { assertEquals } from "@std/assert";
import { z } from "zod";
import { boundsIn, boundsValues } from "../../lib/admin/bounds.ts";
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

for (
  const { text, budgets } of [
    { text: "5/5h, 20/7d", budgets: "5/5h, 20/7d" },
    { text: " 0.5/90m  1/24h", budgets: "0.5/90m, 1/24h" },
    { text: "1/2d;2/60m", budgets: "2/1h, 1/2d" },
    { text: "", budgets: "" },
    { text: "5/5h 6/300m" },
    { text: "5" },
    { text: "5/h" },
    { text: "0/5h" },
    { text: "5/91d" },
    { text: "5/day" },
    { text: "5/5h/6" },
    { text: Array.from({ length: 13 }, (_, at) => `1/${at + 1}h`).join(" ") },
  ]
) {
  Deno.test(`bounds: a form reads the rolling budgets ${text}`, () => {
    const read = boundsIn({ budgetRolling: text }, {});
    assertEquals(read.faults, budgets === undefined ? { budgetRolling: "rolling" } : {});
    if (budgets !== undefined) assertEquals(boundsValues(read).budgetRolling, budgets);
  });
}

for (
  const [text, windows] of [
    ["", ""],
    ["1000/300m, 5000/7d", "1000/5h, 5000/7d"],
    ["1/5h 2/300m"],
    ["1.5/5h"],
    ["0/5h"],
    ["9"],
    ["1/5h/6"],
    [Array.from({ length: 13 }, (_, at) => `1/${at + 1}h`).join(" ")],
  ]
) {
  Deno.test(`bounds: a form reads the limits of any length ${text}`, () => {
    const read = boundsIn({ tokensPerWindow: text }, {});
    assertEquals(read.faults, windows === undefined ? { tokensPerWindow: "windows" } : {});
    if (windows !== undefined) assertEquals(boundsValues(read).tokensPerWindow, windows);
  });
}

Deno.test("bounds: a form has a field for each budget and limit, in this order", () => {
  assertEquals(boundsFields, [
    "budgetDay",
    "budgetWeek",
    "budgetMonth",
    "budgetTotal",
    "budgetSession",
    "budgetRolling",
    "requestsPerMinute",
    "tokensPerMinute",
    "concurrency",
    "requestsPerWindow",
    "tokensPerWindow",
  ]);
});
