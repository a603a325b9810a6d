import type { NetworkFault } from "./network_fault.ts";

/** The outcome of a probe of an upstream. */
export type ConnectionState =
  | "ok"
  | "unlisted"
  | "busy"
  | "key-missing"
  | "key-refused"
  | "sealed"
  | "path"
  | "redirect"
  | "not-json"
  | "no-list"
  | "failing"
  | "timeout"
  | NetworkFault;

/** States in which calls may succeed. */
const ready: ReadonlySet<ConnectionState> = new Set(["ok", "unlisted", "busy"]);

export function isReady(state: ConnectionState): boolean {
  return ready.has(state);
}
