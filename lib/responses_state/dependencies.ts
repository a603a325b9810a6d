import type { GatewayError } from "../canonical/mod.ts";
import type { GroupCommit } from "../ledger/mod.ts";
import type { Store } from "../store/mod.ts";
import type { ExchangeToStore } from "../store/responses/mod.ts";
import type { FreeWrites } from "./free_writes.ts";
import type { Jobs } from "./jobs.ts";

/** The limits and the retention of stored responses. */
interface StateSettings {
  /** The default of `store` for requests that do not set it. */
  readonly storeByDefault: boolean;
  readonly retentionMs: number;
  /** The largest stored exchange (input and answer), as JSON text. */
  readonly exchangeBytesMax: number;
  /** The most bytes of events stored for one background response. */
  readonly eventsBytesMax: number;
  /** The largest request body together with its history. */
  readonly bodyBytesMax: number;
}

/** The dependencies of storing responses. */
export interface ResponsesDeps {
  readonly store: Store;
  readonly settings: StateSettings;
  readonly now: () => number;
  /** Makes exchanges durable, many in one commit. */
  readonly exchanges: GroupCommit<ExchangeToStore>;
  /** Limits what accounts add to conversations without a call. */
  readonly freeWrites: FreeWrites;
  /** The background responses that this isolate runs. */
  readonly jobs: Jobs;
  /** Reports a response that could not be stored to the operator. */
  readonly report: (error: GatewayError, requestId: string) => void;
}
