import type { GatewayError } from "../canonical/mod.ts";
import type { WireError } from "./wire.ts";

/** A budget of a caller. */
interface SpentBudget {
  /** From 0 to 1. */
  readonly spentPart: number;
  readonly resetsAtMs: number;
  /** The length of its period. */
  readonly lengthMs: number;
}

/** A caller as its format's codec knows it. */
interface SpendingClient {
  readonly userAgent: string;
  /** True if it signed in to the gateway, instead of bringing an API key. */
  readonly isSignedIn: boolean;
}

/** Shows some clients of a format their budgets in ways that other clients do not read. */
export interface SpendingCodec {
  /** Returns true for a client that shows them. */
  showsTo(client: SpendingClient): boolean;
  /** The headers of a good answer, lower-case, about budgets of which the fullest is the first. */
  headers?(budgets: readonly [SpentBudget, ...SpentBudget[]]): Readonly<Record<string, string>>;
  /** The end of a budget, from the error that other clients get; the same if that serves best. */
  refusal?(error: GatewayError, wire: WireError): WireError;
}
