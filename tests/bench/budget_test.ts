import { assertEquals } from "@std/assert";
import { budgetOf } from "../../bench/budget.ts";

const frame = (functionName: string, file = "") => ({ functionName, url: file });

/** A small profile: the frames of a call, and two that belong to the runtime alone. */
const nodes = [
  { id: 1, callFrame: frame("(root)"), children: [2, 6, 7, 8] },
  { id: 2, callFrame: frame("generate", "file:///app/lib/gateway.ts"), children: [3] },
  { id: 3, callFrame: frame("reserve", "file:///app/lib/ledger/ledger.ts"), children: [4, 5] },
  { id: 4, callFrame: frame("map"), children: [] },
  { id: 5, callFrame: frame("op_kv_atomic_write"), children: [] },
  { id: 6, callFrame: frame("(idle)"), children: [] },
  { id: 7, callFrame: frame("(garbage collector)"), children: [] },
  { id: 8, callFrame: frame("(program)"), children: [] },
];

Deno.test("budgetOf gives a sample to the innermost frame that belongs to an item, and leaves idle time out", () => {
  const samples = [2, 3, 4, 5, 6, 7, 8];
  const timeDeltas = [1, 10, 100, 1_000, 50_000, 20, 3];
  assertEquals(
    Object.fromEntries(budgetOf({ nodes, samples, timeDeltas }, 1)),
    {
      "the line between them": 1,
      reservation: 110,
      KV: 1_000,
      "garbage collector": 20,
      "rest of the runtime": 3,
    },
  );
});

Deno.test("budgetOf counts only the last seconds", () => {
  const profile = { nodes, samples: [2, 2, 2], timeDeltas: [900_000, 600_000, 500_000] };
  assertEquals(budgetOf(profile, 1).get("the line between them"), 1_100_000);
});
