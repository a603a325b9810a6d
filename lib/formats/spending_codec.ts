import type { GatewayError } from "../canonical/mod.ts";
import type { WireError } from "./wire.ts";

/** A budget of a signed-in user. */
interface SpentBudget {
  /** From 0 to 1. */
  readonly spentPart: number;
  readonly resetsAtMs: number;
}

/** Shows clients of a format that signed in to the gateway their budgets. */
export interface SpendingCodec {
  /** The headers of a good answer, lower-case, about the fullest budget. */
  headers(budget: SpentBudget): Readonly<Record<string, string>>;
  /** The end of a budget from the error without a sign-in; the same if waiting does not help. */
  refusal(error: GatewayError, wire: WireError): WireError;
}
