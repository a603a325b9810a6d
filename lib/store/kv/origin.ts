import { StoreError } from "./error.ts";

/** The origin of a record. Declared records are read-only in the console. */
export type Origin = "console" | "config";

/** Refuses changes by the console to declared records. */
export function assertMayChange(
  record: { readonly origin: Origin },
  by: Origin,
  what: string,
): void {
  if (record.origin === "console" || by === "config") return;
  throw new StoreError(
    "declared",
    `Cannot change ${what}: it is declared in the configuration, change it there`,
  );
}
