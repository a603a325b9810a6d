import type { AlertSettings } from "../config.ts";
import { newOrderedId } from "../store/kv/id.ts";
import { type Alert, type Store, untilCommitted } from "../store/mod.ts";
import type { NotedOwner } from "./noted_owners.ts";
import type { Owned } from "./owner.ts";

/** What looking at budgets and balances needs. */
export interface LookOptions {
  readonly store: Store;
  readonly settings: AlertSettings;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** How long alerts are kept. */
  readonly retentionMs: number;
  readonly now: () => number;
}

/** Who was noted, and who that is. */
export interface Seen {
  readonly noted: NotedOwner;
  readonly owned: Owned;
}

/** What one attempt to raise an alert came to; undefined where another process was faster. */
export type Attempt = { readonly raised: Alert | undefined } | undefined;

/** Tries again where another process told something of the same in between. */
export async function raiseOnce(attempt: () => Promise<Attempt>): Promise<Alert | undefined> {
  const { raised } = await untilCommitted("alert", attempt);
  return raised;
}

/** What every alert about somebody says. */
export function alertAbout(
  { noted: { owner, id }, owned: { name, accountId } }: Seen,
  { now, retentionMs, settings }: LookOptions,
) {
  const atMs = now();
  return {
    id: `alert_${newOrderedId(atMs)}`,
    atMs,
    owner,
    ownerId: id,
    name,
    ...(accountId !== undefined && { accountId }),
    ...(settings.webhook && { delivery: { state: "waiting", attempts: 0 } as const }),
    expiresAtMs: atMs + retentionMs,
  };
}
