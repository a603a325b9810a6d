import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { changeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** A signing secret that a rotation replaced; it also signs until it expires. */
interface PreviousSecret {
  readonly secret: string;
  readonly expiresAtMs: number;
}

/** The reason why the gateway disabled an endpoint. */
export type DisabledBecause = "failing" | "gone";

/** A receiver of events, managed in the console. */
export interface WebhookEndpoint {
  /** Such as `whe_4fR…`. */
  readonly id: string;
  readonly url: string;
  /** The types of events that it receives; `*` means all. */
  readonly types: readonly string[];
  /** Empty if there is none. */
  readonly description: string;
  /** `whsec_` and base64, in plain text, which is in memory only: the store seals it. */
  readonly secret: string;
  readonly previous?: PreviousSecret;
  /** The reason why the secrets could not be unsealed; nothing is sent then. Never stored. */
  readonly secretFault?: string;
  readonly enabled: boolean;
  /** Absent if an administrator disabled it. */
  readonly disabledBecause?: DisabledBecause;
  readonly createdAtMs: number;
  /** The time of the first failed attempt since the last success; absent if there is none. */
  readonly failingSinceMs?: number;
}

type StoredEndpoint = Omit<WebhookEndpoint, "secret" | "previous" | "secretFault"> & {
  readonly sealedSecret: string;
  readonly sealedPrevious?: PreviousSecret;
};

const kind: Kind<StoredEndpoint> = { name: "webhook endpoint", version: 1 };

/** The maximum number of endpoints, so that one event causes a bounded number of deliveries. */
const endpointsMax = 50;

/** Returns undefined if there is no such endpoint. */
export async function getEndpoint(store: Store, id: string): Promise<WebhookEndpoint | undefined> {
  const stored = await getRecord(store, kind, keys.webhookEndpoint(id));
  return stored && await opened(store, stored);
}

/** Returns all endpoints, oldest first. */
export async function listEndpoints(store: Store): Promise<WebhookEndpoint[]> {
  const found = await listRecords(store, kind, keys.webhookEndpoints);
  const endpoints = await Promise.all(found.map((stored) => opened(store, stored)));
  return endpoints.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/** Returns false if there are `endpointsMax` endpoints. */
export async function createEndpoint(
  store: Store,
  endpoint: WebhookEndpoint,
  { audit }: AuditOptions = {},
): Promise<boolean> {
  const present = await listRecords(store, kind, keys.webhookEndpoints);
  if (present.length >= endpointsMax) return false;
  const record = encodeRecord(kind, await sealed(store, endpoint));
  const key = keys.webhookEndpoint(endpoint.id);
  const operation = store.kv.atomic().check({ key, versionstamp: null }).set(key, record);
  return await store.commitChange(addAuditEntry(operation, audit));
}

/** Returns the changed endpoint; undefined if there is no such endpoint. The id never changes. */
export function updateEndpoint(
  store: Store,
  id: string,
  change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  { audit }: Pick<ChangeOptions<WebhookEndpoint>, "audit"> = {},
): Promise<WebhookEndpoint | undefined> {
  const key = keys.webhookEndpoint(id);
  return changeRecord(store, { kind, key }, async (stored, operation) => {
    const current = await opened(store, stored);
    const endpoint = { ...change(current), id };
    operation.set(key, encodeRecord(kind, await resealed(store, stored, { current, endpoint })));
    addAuditEntry(operation, auditOf(audit, current, endpoint));
    return endpoint;
  });
}

/** Returns false if there is no such endpoint. Its deliveries are deleted by `pruneDeliveries`. */
export async function deleteEndpoint(
  store: Store,
  id: string,
  { audit, check }: AuditOptions & {
    /** Throws if the current record must stay. */
    readonly check?: (current: WebhookEndpoint) => void;
  } = {},
): Promise<boolean> {
  const key = keys.webhookEndpoint(id);
  const deleted = await changeRecord(store, { kind, key }, async (stored, operation) => {
    check?.(await opened(store, stored));
    addAuditEntry(operation.delete(key), audit);
    return true;
  });
  return deleted ?? false;
}

async function opened(
  store: Store,
  { sealedSecret, sealedPrevious, ...rest }: StoredEndpoint,
): Promise<WebhookEndpoint> {
  const open = (text: string) => store.secretBox.open(text, context(rest.id));
  try {
    const secret = await open(sealedSecret);
    if (!sealedPrevious) return { ...rest, secret };
    const previous = { ...sealedPrevious, secret: await open(sealedPrevious.secret) };
    return { ...rest, secret, previous };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...rest, secret: "", secretFault: error.message };
  }
}

async function sealed(
  store: Store,
  { secret, previous, secretFault: _, ...rest }: WebhookEndpoint,
): Promise<StoredEndpoint> {
  const seal = (text: string) => store.secretBox.seal(text, context(rest.id));
  return {
    ...rest,
    sealedSecret: await seal(secret),
    ...(previous && { sealedPrevious: { ...previous, secret: await seal(previous.secret) } }),
  };
}

/** Keeps secrets sealed as they are unless they changed, even if they cannot be unsealed. */
async function resealed(
  store: Store,
  { sealedSecret, sealedPrevious }: StoredEndpoint,
  { current, endpoint }: { readonly current: WebhookEndpoint; readonly endpoint: WebhookEndpoint },
): Promise<StoredEndpoint> {
  if (endpoint.secret !== current.secret) return await sealed(store, endpoint);
  const { secret: _, previous: __, secretFault: ___, ...rest } = endpoint;
  return { ...rest, sealedSecret, ...(sealedPrevious && { sealedPrevious }) };
}

function context(id: string): string {
  return `webhook endpoint ${id}`;
}
