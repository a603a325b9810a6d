import type { AuditOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { type FormerRecord, storedCollection } from "../kv/collection.ts";
import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";

/** A signing secret that a rotation replaced; it also signs until it expires. */
interface PreviousSecret {
  readonly secret: string;
  readonly expiresAtMs: number;
}

/** The reason why the gateway disabled an endpoint. */
export type DisabledBecause = "failing" | "gone";

/** The forms of a webhook's body: the signed event, or a message for a chat's incoming webhook. */
export const webhookFormats = ["event", "slack", "discord", "teams", "google-chat"] as const;
export type WebhookFormat = typeof webhookFormats[number];

/** A receiver of events, managed in the console. */
export interface WebhookEndpoint {
  /** Such as `whe_4fR…`. */
  readonly id: string;
  readonly url: string;
  /** The types of events that it receives; `*` means all. */
  readonly types: readonly string[];
  /** Absent: the signed event. */
  readonly format?: WebhookFormat;
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

/** The maximum number of endpoints, so that one event causes a bounded number of deliveries. */
const endpointsMax = 50;

const endpoints = storedCollection<WebhookEndpoint, StoredEndpoint>(
  { name: "webhook endpoint", version: 1 },
  { all: keys.webhookEndpoints, at: keys.webhookEndpoint },
  { open: opened, seal: sealed },
);

/** An endpoint's deliveries are deleted by `pruneDeliveries`. */
export const { get: getEndpoint, update: updateEndpoint, remove: deleteEndpoint } = endpoints;

/** Returns all endpoints, oldest first. */
export async function listEndpoints(store: Store): Promise<WebhookEndpoint[]> {
  return (await endpoints.list(store)).sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/** Returns false if there are `endpointsMax` endpoints. */
export async function createEndpoint(
  store: Store,
  endpoint: WebhookEndpoint,
  options: AuditOptions = {},
): Promise<boolean> {
  if ((await endpoints.list(store)).length >= endpointsMax) return false;
  await endpoints.create(store, endpoint, options);
  return true;
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

/** Keeps secrets sealed as they are unless they changed, even if they cannot be unsealed. */
async function sealed(
  store: Store,
  { secret, previous, secretFault: _, ...rest }: WebhookEndpoint,
  former?: FormerRecord<WebhookEndpoint, StoredEndpoint>,
): Promise<StoredEndpoint> {
  if (secret === former?.record.secret) {
    const { sealedSecret, sealedPrevious } = former.stored;
    return { ...rest, sealedSecret, ...(sealedPrevious && { sealedPrevious }) };
  }
  const seal = (text: string) => store.secretBox.seal(text, context(rest.id));
  return {
    ...rest,
    sealedSecret: await seal(secret),
    ...(previous && { sealedPrevious: { ...previous, secret: await seal(previous.secret) } }),
  };
}

function context(id: string): string {
  return `webhook endpoint ${id}`;
}
