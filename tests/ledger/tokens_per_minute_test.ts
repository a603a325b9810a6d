import { assert, assertEquals } from "@std/assert";
import type { Caller } from "../../lib/accounts/authorize.ts";
import { GatewayError, noUsage } from "../../lib/canonical/mod.ts";
import { type Hold, Ledger } from "../../lib/ledger/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { sampleGroup, sampleKey, sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

/** Answers may be longer than what is left of a minute; then the minutes that follow pay for them. */

const minuteMs = 60_000;
const startMs = Math.ceil(Date.now() / minuteMs) * minuteMs;

/** A key with so many tokens a minute, and isolates that share its time. */
class Scene {
  nowMs = startMs;
  readonly #startedAt = performance.now();
  /** Tokens of calls, by the minute in which they ended. */
  readonly used = new Map<number, number>();
  readonly #ledgers: Ledger[] = [];
  #calls = 0;

  constructor(readonly store: Store, readonly tokensPerMinute: number) {}

  async open(): Promise<Ledger> {
    const now = () => this.nowMs + performance.now() - this.#startedAt; // waiting calls must see time pass
    const options = { timeZone: "UTC", moneyWaitMs: 1_000, now };
    const ledger = await Ledger.open(this.store, options);
    this.#ledgers.push(ledger);
    return ledger;
  }

  /** A call whose length is not known before; undefined where it was refused. */
  async begin(ledger: Ledger): Promise<Hold | undefined> {
    const nothing = { boundNanoUsd: 0n, leastNanoUsd: 0n };
    const tokens = ledger.recentTokens(this.caller, "m")?.average ?? 4_500;
    try {
      return await ledger.reserve({ caller: this.caller, model: "m", ...nothing, tokens });
    } catch (error) {
      if (error instanceof GatewayError && error.code === "rate_limit_exceeded") return undefined;
      throw error;
    }
  }

  async end(ledger: Ledger, hold: Hold, tokens: number): Promise<void> {
    const number = ++this.#calls;
    const usage = { ...noUsage, outputTokens: tokens };
    const row = sampleRow(number, { id: `req_${number}`, atMs: this.nowMs, usage });
    await ledger.settle(row, hold);
    const minute = (this.nowMs - startMs) / minuteMs;
    this.used.set(minute, (this.used.get(minute) ?? 0) + tokens);
  }

  /** Calls one after another until one is refused, or until there were too many to be believed. */
  async callUntilRefused(ledger: Ledger, tokens: number): Promise<number> {
    for (let calls = 0;; calls++) {
      const hold = await this.begin(ledger);
      if (!hold || calls > 100) return calls;
      await this.end(ledger, hold, tokens);
    }
  }

  usedUntilNow(): number {
    return [...this.used.values()].reduce((sum, tokens) => sum + tokens, 0);
  }

  async close(): Promise<void> {
    for (const ledger of this.#ledgers.splice(0)) await ledger.close();
  }

  get caller(): Caller {
    const key = sampleKey({ limits: { tokensPerMinute: this.tokensPerMinute } });
    return {
      key,
      group: sampleGroup({ id: "default" }),
      account: { enabled: true, spending: "unlimited" },
    } as Caller; // sound: only what bounds the caller is read
  }
}

async function withScene(
  tokensPerMinute: number,
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withMemoryStore(async (store) => {
    const scene = new Scene(store, tokensPerMinute);
    await run(scene);
    await scene.close();
  });
}

Deno.test("tokens per minute: the next minutes pay the tokens that one minute cannot", () =>
  withScene(100_000, async (scene) => {
    const ledger = await scene.open();
    const calls: number[] = [];
    for (let minute = 0; minute < 10; minute++, scene.nowMs += minuteMs) {
      calls.push(await scene.callUntilRefused(ledger, 40_000));
    }
    const used = scene.usedUntilNow();
    assert(used <= 10 * 100_000 + 40_000, `${used} tokens in ten minutes, by calls ${calls}`);
    assert(used >= 10 * 100_000 - 40_000, `only ${used} tokens in ten minutes, by calls ${calls}`);
    assertEquals(calls[0], 3);
  }));

Deno.test("tokens per minute: 40 calls in flight are paid by the minutes that follow", () =>
  withScene(100_000, async (scene) => {
    const ledger = await scene.open();
    const begun = await Promise.all(Array.from({ length: 40 }, () => scene.begin(ledger)));
    const holds = begun.filter((hold) => hold !== undefined);
    await Promise.all(holds.map((hold) => scene.end(ledger, hold, 40_000)));
    const used = scene.usedUntilNow();
    const minutes = Math.ceil(used / 100_000);
    for (let minute = 1; minute < minutes; minute++) {
      scene.nowMs = startMs + minute * minuteMs;
      if (minute * 100_000 + 100_000 <= used) {
        assertEquals(await scene.callUntilRefused(ledger, 40_000), 0, `minute ${minute}`);
      }
    }
    scene.nowMs = startMs + minutes * minuteMs;
    assert(await scene.callUntilRefused(ledger, 40_000) > 0);
  }));

Deno.test("tokens per minute: a limit below a guess of an answer refuses no first call", () =>
  withScene(3_000, async (scene) => {
    const ledger = await scene.open();
    const hold = await scene.begin(ledger);
    assert(hold, "the first call of a key was refused");
    await scene.end(ledger, hold, 700);
    const next = await scene.begin(ledger);
    assert(next, "what a call did not use was not given back");
    await scene.end(ledger, next, 700);
  }));

Deno.test("tokens per minute: two isolates pay for each other's long answers", () =>
  withScene(100_000, async (scene) => {
    const [one, other] = [await scene.open(), await scene.open()];
    for (let minute = 0; minute < 10; minute++, scene.nowMs += minuteMs) {
      await Promise.all([
        scene.callUntilRefused(one, 40_000),
        scene.callUntilRefused(other, 40_000),
      ]);
    }
    const used = scene.usedUntilNow();
    assert(used <= 10 * 100_000 + 2 * 40_000, `${used} tokens in ten minutes`);
    assert(used >= 10 * 100_000 - 80_000, `only ${used} tokens in ten minutes`);
  }));

Deno.test("tokens per minute: a debt outlives the isolate that made it", () =>
  withScene(10_000, async (scene) => {
    const before = await scene.open();
    const hold = await scene.begin(before);
    assert(hold);
    await scene.end(before, hold, 55_000);
    await scene.close();
    const after = await scene.open();
    assertEquals(await scene.begin(after), undefined, "in the same minute");
    for (let minute = 1; minute <= 4; minute++) {
      scene.nowMs = startMs + minute * minuteMs;
      assertEquals(await scene.begin(after), undefined, `minute ${minute}`);
    }
    scene.nowMs = startMs + 5 * minuteMs;
    const last = await scene.begin(after);
    assert(last, "the debt is paid");
    await scene.end(after, last, 5_000);
    assertEquals(await scene.begin(after), undefined);
  }));
