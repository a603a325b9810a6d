import { z } from "zod";
import type { AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type Bounds, boundsShape } from "../money/budget.ts";
import { setBoundsRecord } from "./bounds_record.ts";

const kind: Kind<Bounds> = { name: "organization", version: 1, schema: z.object(boundsShape) };

/** The limits of all calls together; undefined if there are none. */
export function getOrganization(store: Store): Promise<Bounds | undefined> {
  return getRecord(store, kind, keys.organization);
}

/** Sets the limits of all calls together. Bounds without a limit remove them. */
export async function setOrganization(
  store: Store,
  { budgets, limits }: Bounds,
  options: AuditOptions = {},
): Promise<void> {
  const bounds = { ...(budgets && { budgets }), ...(limits && { limits }) };
  await setBoundsRecord(store, { kind, key: keys.organization }, bounds, options);
}
