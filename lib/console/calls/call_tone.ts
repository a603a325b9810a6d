import type { RequestOutcome } from "../../store/log/mod.ts";

const toneOf = {
  completed: "ok",
  truncated: "warn",
  upstream_error: "bad",
  client_gone: "off",
  timeout: "bad",
  refused: "bad",
} as const satisfies Record<RequestOutcome, "ok" | "warn" | "bad" | "off">;

/** The tone of a call's outcome, for the icon beside its status. */
export function callTone({ outcome }: { readonly outcome: RequestOutcome }) {
  return toneOf[outcome];
}
