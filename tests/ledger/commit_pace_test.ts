import { assertEquals } from "@std/assert";
import type { Hold, Ledger } from "../../lib/ledger/mod.ts";
import { sampleRow } from "../store/samples.ts";
import { later } from "../waiting.ts";
import { withLedger } from "./with_ledger.ts";

/** The wait for a common commit, on a stopped clock: it never ends by itself. */

/** The calls that end at once, and those that go on. */
interface Case {
  readonly title: string;
  readonly ending: number;
  readonly inProgress: number;
  readonly waits: boolean;
  /** The last stage of those that end; default: sent. */
  readonly stage?: "refused" | "reserved";
}

const cases: readonly Case[] = [
  { title: "all calls in flight", ending: 4, inProgress: 0, waits: false },
  { title: "two thirds of the calls in flight", ending: 8, inProgress: 4, waits: false },
  { title: "fewer than two thirds of them", ending: 8, inProgress: 5, waits: true },
  { title: "four calls beside a long one", ending: 4, inProgress: 1, waits: false },
  { title: "fewer than four calls", ending: 3, inProgress: 0, waits: true },
  { title: "refused calls", ending: 12, inProgress: 0, waits: true, stage: "refused" },
  {
    title: "refused calls beside one in flight",
    ending: 12,
    inProgress: 1,
    waits: true,
    stage: "refused",
  },
  {
    title: "calls refused before they were sent",
    ending: 12,
    inProgress: 0,
    waits: true,
    stage: "reserved",
  },
];

for (const { title, ending, inProgress, waits, stage = "sent" } of cases) {
  Deno.test(`a commit of ${title} ${waits ? "waits" : "does not wait"} for further ones`, () =>
    withLedger(async (ledger, reserve) => {
      const others = sent(await reserved(inProgress, reserve), ledger);
      const calls = await reserved(stage === "refused" ? 0 : ending, reserve);
      if (stage === "sent") sent(calls, ledger);
      const before = await reserved(3, reserve);
      const pace = stoppedPace();
      try {
        await settled(before.length, before, ledger); // a shared commit: the next one is paced
        const settling = settled(ending, calls, ledger);
        const isSettled = await Promise.race([
          settling.then(() => true),
          later(100).then(() => false),
        ]);
        assertEquals({ isSettled, pauses: pace.pauses }, { isSettled: !waits, pauses: 1 });
        pace.resume();
        await settling;
      } finally {
        pace.resume();
      }
      await settled(others.length, others, ledger);
    }));
}

function reserved(count: number, reserve: () => Promise<Hold>): Promise<readonly Hold[]> {
  return Promise.all(Array.from({ length: count }, () => reserve()));
}

function sent(holds: readonly Hold[], ledger: Ledger): readonly Hold[] {
  for (const [at, hold] of holds.entries()) ledger.watch(hold, () => sampleRow(at));
  return holds;
}

let rows = 0;

/** Ends so many calls at once: those with a hold, and then refused ones. */
function settled(count: number, holds: readonly Hold[], ledger: Ledger): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, at) => {
    const row = sampleRow(0, { id: `req_pace_${rows++}` });
    return ledger.settle(row, holds[at]);
  }));
}

/** In milliseconds. Longer timers are not the wait of a commit. */
const paceMs = 4.5;

/** Stops the clock, and holds up every timer of a commit's pace. */
function stoppedPace() {
  const { setTimeout } = globalThis;
  const now = performance.now;
  const stoppedAt = performance.now();
  const held: (() => void)[] = [];
  const pace = {
    pauses: 0,
    resume: () => {
      globalThis.setTimeout = setTimeout;
      performance.now = now;
      for (const run of held.splice(0)) run();
    },
  };
  performance.now = () => stoppedAt;
  globalThis.setTimeout = ((run: () => void, ms = 0) => {
    if (ms === 0 || ms > paceMs) return setTimeout(run, ms);
    pace.pauses++;
    held.push(run);
    return 0;
  }) as typeof setTimeout; // sound: its callers here pass a function without arguments
  return pace;
}
