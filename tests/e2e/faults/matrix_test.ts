import { assertEquals } from "@std/assert";
import { type FormatName, GatewayError } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { outcomeOf } from "../../../lib/http/stream/transcoder.ts";
import { startFaultUpstream } from "./fault_upstream.ts";
import { type Ending, type Fault, faults } from "./faults.ts";
import { credential, healthyId, prompt, startFaultyGateway } from "./faulty_gateway.ts";
import { properly } from "./injections.ts";
import { callAll, cells, nameOf, print, type Result } from "./matrix.ts";
import { story } from "./proper_answer.ts";
import { allRows, assertNothingHeld } from "./settled.ts";

/**
 * Every fault × every caller's format × whole and streamed × the upstream's format the same and
 * another: what the caller gets, when, what is settled, and who is asked next.
 */

/** Beyond a timeout, on a machine that others use too. */
const slackMs = 8_000;
const heavySlackMs = 30_000;

Deno.test("faults: each ends in time, in its caller's form, and is settled once", async () => {
  const results = await resultsOf(false);
  const problems = results.flatMap((result) => {
    const { fault, streamed } = result.cell;
    const ending = streamed ? fault.streamed : fault.whole;
    return [
      ...problemsOf(result, ending),
      ...attemptProblems(result, ending.type === "completes" ? ["answered"] : [ending.code]),
    ];
  });
  print(results);
  assertEquals(problems, []);
});

Deno.test("faults: with a second upstream a caller sees only those that come after the first byte", async () => {
  const results = await resultsOf(true);
  const problems = results.flatMap((result) => {
    const { fault, streamed, upstreamFormat } = result.cell;
    const alone = streamed ? fault.streamed : fault.whole;
    if (alone.type !== "fails") return problemsOf(result, alone);
    const by = result.row.upstreamId;
    return [
      ...problemsOf(result, { type: "completes" }),
      ...attemptProblems(result, [alone.code, "answered"]),
      ...(by === healthyId(upstreamFormat) ? [] : [`${nameOf(result)}: answered by ${by}`]),
    ];
  });
  assertEquals(problems, []);
});

/** Every call of the matrix, through a gateway with or without a second upstream, and what is left of them. */
async function resultsOf(withSecond: boolean): Promise<readonly Result[]> {
  await using upstream = startFaultUpstream([...faults, { name: "healthy", inject: properly }]);
  await using gateway = await startFaultyGateway(upstream, { withSecond });
  const loud = console.error;
  const logged: string[] = [];
  console.error = (line: string) => void logged.push(line);
  try {
    const results = await callAll(gateway);
    await assertNothingHeld(gateway);
    assertEquals((await allRows(gateway)).length, cells.length);
    assertEquals(logged.filter((line) => line.includes(prompt) || line.includes(credential)), []);
    return results;
  } finally {
    console.error = loud;
  }
}

/** Compares the logged attempts, as error codes, with the expected ones. */
function attemptProblems(result: Result, expected: readonly string[]): readonly string[] {
  const attempts = result.row.attempts?.map(({ errorCode }) => errorCode ?? "answered") ?? [];
  return attempts.join() === expected.join()
    ? []
    : [`${nameOf(result)}: the attempts are ${attempts.join()}, not ${expected.join()}`];
}

/** The differences from the expected ending. */
function problemsOf(result: Result, expected: Ending): readonly string[] {
  const { cell: { fault, caller }, type, row, text, tookMs } = result;
  const said = fault.texts ?? story;
  const expectations: readonly [string, unknown, unknown][] = [
    ["it", type, expected.type],
    ["the status", result.status, statusOf(expected, caller)],
    [
      "the error in the log",
      row.errorCode,
      expected.type === "completes" ? undefined : expected.code,
    ],
    ["the outcome", row.outcome, outcomeFor(expected)],
    ["who counted", row.usageSource, usageSources[expected.type]],
    ["the text", text.startsWith(leastText[expected.type](said)), true],
    [
      "as long as it was",
      expected.type === "completes" ? text.length : 0,
      expected.type === "completes" ? said.join("").length : 0,
    ],
    ["the wait", result.retryAfter, retryAfterOf(expected, fault)],
    ["in time", tookMs < longestMs(fault), true],
  ];
  const differences = expectations.filter(([, actual, wanted]) => actual !== wanted)
    .map(([what, actual, wanted]) => `${what} is ${short(actual)}, not ${short(wanted)}`);
  return [...differences, ...result.problems].map((problem) => `${nameOf(result)}: ${problem}`);
}

const usageSources = { completes: "upstream", fails: "none", breaks: "counted" } as const;

/** The least text that a caller must receive. */
const leastText = {
  completes: (said: readonly string[]) => said.join(""),
  fails: () => "",
  breaks: (said: readonly string[]) => said.slice(0, 2).join(""),
} as const;

function statusOf(expected: Ending, caller: FormatName): number {
  if (expected.type !== "fails") return 200;
  return codecs[caller].encodeError(new GatewayError(expected.code, ""), "").status;
}

function outcomeFor(expected: Ending): string {
  return expected.type === "completes"
    ? "completed"
    : outcomeOf(new GatewayError(expected.code, ""));
}

function retryAfterOf(expected: Ending, { retryAfter }: Fault): string | null {
  return expected.type === "fails" && retryAfter !== undefined ? `${retryAfter}` : null;
}

function longestMs({ timeouts = {}, isHeavy = false }: Fault): number {
  return Math.max(0, ...Object.values(timeouts)) + (isHeavy ? heavySlackMs : slackMs);
}

function short(value: unknown): string {
  const text = String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
