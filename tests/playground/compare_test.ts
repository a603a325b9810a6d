import { assertEquals } from "@std/assert";
import {
  advantagesOf,
  type AssistantReply,
  emptyAnswer,
  type Lane,
  newReply,
  roundsOf,
  withTurn,
} from "../../lib/playground/mod.ts";

const lane: Lane = { choice: { model: "m", groupId: "g", format: "messages" }, turns: [] };
const request = { path: "", body: {} };

function reply(requestId: string, costNanoUsd: number | undefined, durationMs: number) {
  return {
    ...newReply(lane, { id: 1, request }),
    state: "whole",
    requestId,
    receipt: { durationMs, figures: [], ...(costNanoUsd !== undefined && { costNanoUsd }) },
  } satisfies AssistantReply;
}

const cases: readonly {
  readonly name: string;
  readonly replies: readonly AssistantReply[];
  readonly expected: Readonly<Record<string, object>>;
}[] = [
  { name: "one answer", replies: [reply("a", 100, 900)], expected: {} },
  {
    name: "one that is cheaper and faster",
    replies: [reply("a", 9_549, 7_040), reply("b", 6_548, 6_110)],
    expected: { b: { cheaperPercent: 31, fasterMs: 930 } },
  },
  {
    name: "one that is cheaper and one that is faster, of three",
    replies: [reply("a", 50, 900), reply("b", 100, 300), reply("c", 200, 1_000)],
    expected: { a: { cheaperPercent: 50 }, b: { fasterMs: 600 } },
  },
  { name: "a tie", replies: [reply("a", 5, 100), reply("b", 5, 105)], expected: {} },
  {
    name: "an answer that failed",
    replies: [reply("a", 5, 100), { ...reply("b", 1, 1), state: "failed" }],
    expected: {},
  },
  {
    name: "calls without a charge",
    replies: [reply("a", undefined, 100), reply("b", undefined, 400)],
    expected: { a: { fasterMs: 300 } },
  },
];
for (const { name, replies, expected } of cases) {
  Deno.test(`comparison: ${name}`, () => {
    assertEquals(Object.fromEntries(advantagesOf(replies)), expected);
  });
}

Deno.test("rounds: a message once, with the answers of each lane to it", () => {
  const said = (id: number) => ({ role: "user", id, text: String(id), attachments: [] }) as const;
  const answer = (id: number) => ({ ...newReply(lane, { id, request }), answer: emptyAnswer });
  const first = [said(1), answer(2), said(5), answer(6)].reduce(withTurn, lane);
  const results = { role: "tool", id: 8, results: [] } as const;
  const second = [said(1), answer(3), results, answer(4), said(5)].reduce(withTurn, lane);
  const rounds = roundsOf([first, second]);
  assertEquals(rounds.map(({ said }) => said.id), [1, 5]);
  const ids = rounds.map(({ answers }) => answers.map((turns) => turns.map(({ id }) => id)));
  assertEquals(ids, [[[2], [3, 8, 4]], [[6], []]]);
});
