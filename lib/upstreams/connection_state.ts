import type { NetworkFault } from "./network_fault.ts";

/** How a look at an upstream came out. */
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
