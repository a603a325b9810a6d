import type { LimitState } from "../../canonical/mod.ts";
import type { Call } from "../call.ts";

/** How the limits that bind a call stand, in the headers of the call's format; empty where none binds it. */
export function limitHeaders(
  { codec, startedAtMs, startedAt }: Pick<Call, "codec" | "startedAtMs" | "startedAt">,
  states: readonly LimitState[],
): Readonly<Record<string, string>> {
  if (states.length === 0) return {};
  return codec.limitHeaders(states, startedAtMs + performance.now() - startedAt);
}
