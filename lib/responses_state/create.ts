import type { GatewayError } from "../canonical/mod.ts";
import type { Limits } from "../config.ts";
import { GroupCommit } from "../ledger/mod.ts";
import type { Store } from "../store/mod.ts";
import { type ExchangeToStore, storeExchanges } from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import { FreeWrites } from "./free_writes.ts";
import { Jobs } from "./jobs.ts";

const dayMs = 86_400_000;
/** The most exchanges that one group commit stores. */
const exchangesPerRoundMax = 64;

/** Creates the dependencies that store the responses of one isolate. */
export function createState(
  store: Store,
  { limits, storeByDefault, report }: {
    readonly limits: Limits;
    readonly storeByDefault: boolean;
    readonly report: (error: GatewayError, requestId: string) => void;
  },
): ResponsesDeps {
  return {
    store,
    settings: {
      storeByDefault,
      retentionMs: limits.responseRetentionDays * dayMs,
      exchangeBytesMax: limits.storedResponseBytesMax,
      eventsBytesMax: limits.backgroundEventsBytesMax,
      bodyBytesMax: limits.bodyBytesMax,
    },
    now: Date.now,
    exchanges: new GroupCommit<ExchangeToStore>(
      (exchanges) => storeExchanges(store, exchanges),
      exchangesPerRoundMax,
    ),
    freeWrites: new FreeWrites(limits.conversationBytesPerMinute, Date.now),
    jobs: new Jobs(),
    report,
  };
}
