import { assert, assertRejects } from "@std/assert";
import { type Scenario, streamed } from "./scenario.ts";

const abortMsMax = 1_000;

/** Streams that end before their time: the last of all, as some SDKs end their program with them. */
export const endingScenarios: readonly Scenario[] = [
  {
    name: "hanging up midway reaches the upstream",
    cut: true,
    spoils: true,
    alone: true,
    run: async ({ start, upstream }) => {
      const talk = start({});
      talk.say("hang");
      const abort = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      const listening = talk.listen(abort.signal, resolve).then(() => {}, () => {});
      await promise;
      const left = performance.now();
      abort.abort();
      const ms = await upstream.aborted - left;
      assert(ms >= 0 && ms <= abortMsMax, `the upstream heard of it after ${ms} ms`);
      await listening;
    },
  },
  {
    name: "a stream that breaks is a failure, not an answer",
    cut: true,
    spoils: true,
    alone: true,
    run: async ({ start }) => {
      const talk = start({});
      talk.say("break");
      await assertRejects(() => talk.ask(streamed));
    },
  },
];
