import type { CostEstimate } from "../../lib/ledger/hold.ts";
import { type Hold, Ledger } from "../../lib/ledger/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { callWithTestKey } from "../e2e/faults/settled.ts";
import { startGateway } from "../e2e/gateway.ts";

/** Runs a test with a ledger of its own, whose calls are free unless they state a price. */
export async function withLedger(
  run: (
    ledger: Ledger,
    reserve: (priced?: Partial<CostEstimate>) => Promise<Hold>,
    store: Store,
  ) => Promise<void>,
  storeOf: (store: Store) => Store = (store) => store,
): Promise<void> {
  await using gateway = await startGateway();
  const { store, gateway: { identify } } = gateway.parts;
  const caller = await identify(callWithTestKey());
  const options = { timeZone: "UTC", moneyWaitMs: 100, now: Date.now };
  const ledger = await Ledger.open(storeOf(store), options);
  const free = { caller, model: "m", boundNanoUsd: 0n, leastNanoUsd: 0n, tokens: 1 };
  try {
    await run(ledger, async (priced) => await ledger.reserve({ ...free, ...priced }), store);
  } finally {
    await ledger.close();
  }
}
