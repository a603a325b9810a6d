import type { GatewayError } from "../canonical/mod.ts";
import type { GroupCommit } from "../ledger/mod.ts";
import type { Store } from "../store/mod.ts";
import type { ExchangeToStore } from "../store/responses/mod.ts";
import type { FreeWrites } from "./free_writes.ts";
import type { Jobs } from "./jobs.ts";

/** How much is kept, and for how long. */
interface StateSettings {
  /** Whether an answer is kept whose caller does not say. */
  readonly storeByDefault: boolean;
  readonly retentionMs: number;
  /** What one call says and is answered may have at most, as JSON text. */
  readonly exchangeBytesMax: number;
  /** The events of one background response at most. */
  readonly eventsBytesMax: number;
  /** Of a request's body with all that it goes on from. */
  readonly bodyBytesMax: number;
}

/** The dependencies of storing responses. */
export interface ResponsesDeps {
  readonly store: Store;
  readonly settings: StateSettings;
  readonly now: () => number;
  /** Makes exchanges durable, many in one commit. */
  readonly exchanges: GroupCommit<ExchangeToStore>;
  /** What is put into conversations without a call. */
  readonly freeWrites: FreeWrites;
  /** The background responses that this isolate makes. */
  readonly jobs: Jobs;
  /** Tells the operator of what could not be kept. */
  readonly report: (error: GatewayError, requestId: string) => void;
}
