import type { LimitState } from "../../canonical/mod.ts";
import type { Call } from "../call.ts";

/** The state of a call's limits, in the headers of its format; empty without limits. */
export function limitHeaders(
  { codec, startedAtMs, startedAt }: Pick<Call, "codec" | "startedAtMs" | "startedAt">,
  states: readonly LimitState[],
): Readonly<Record<string, string>> {
  if (states.length === 0) return {};
  return codec.limitHeaders(states, startedAtMs + performance.now() - startedAt);
}
