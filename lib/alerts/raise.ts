import type { AlertSettings } from "../config.ts";
import type { Alert } from "../store/alerts/mod.ts";
import { newOrderedId } from "../store/kv/id.ts";
import { type Store, untilCommitted } from "../store/mod.ts";
import type { NotedOwner } from "./noted_owners.ts";
import type { Owned } from "./owner.ts";

/** The dependencies and settings of a check. */
export interface CheckOptions {
  readonly store: Store;
  readonly settings: AlertSettings;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** Retention of alerts. */
  readonly retentionMs: number;
  readonly now: () => number;
}

/** An owner under check: why it is checked, and its record. */
export interface CheckedOwner {
  readonly noted: NotedOwner;
  readonly owned: Owned;
}

/** The result of a check: the alert that it raised, if any. */
export interface Raised {
  readonly raised: Alert | undefined;
}

/**
 * Repeats a check while it returns undefined, which means that another process changed the mark.
 */
export async function raiseOnce(
  attempt: () => Promise<Raised | undefined>,
): Promise<Alert | undefined> {
  const { raised } = await untilCommitted("alert", attempt);
  return raised;
}

/** The fields that all alerts about an owner share. */
export function alertAbout(
  { noted: { owner, id }, owned: { name, accountId } }: CheckedOwner,
  { now, retentionMs }: CheckOptions,
) {
  const atMs = now();
  return {
    id: `alert_${newOrderedId(atMs)}`,
    atMs,
    owner,
    ownerId: id,
    name,
    ...(accountId !== undefined && { accountId }),
    expiresAtMs: atMs + retentionMs,
  };
}
