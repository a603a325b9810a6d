import type { FormatName } from "../../canonical/mod.ts";
import { keys } from "../keys.ts";
import { type Former, storedCollection } from "../kv/collection.ts";
import { StoreError } from "../kv/error.ts";
import type { Origin } from "../kv/origin.ts";
import type { Store } from "../kv/store.ts";
import type { UpstreamTimeouts } from "../kv/timeouts.ts";
import { removeUpstreamList } from "./upstream_list.ts";

/** A model, or a pattern of models, that an upstream serves. */
export interface UpstreamModel {
  /** A public name or a pattern such as `gpt-*`; see `matchesPattern`. */
  readonly id: string;
  /**
   * The upstream's own name for it; absent means the name in the request. A `*` is replaced by what the
   * `*` of a pattern matched.
   */
  readonly upstreamModel?: string;
}

/** Returns the upstream's own name of a model that it serves under `name`. */
export function upstreamNameOf({ id, upstreamModel }: UpstreamModel, name: string): string {
  if (upstreamModel === undefined) return name;
  const [head, tail, ...more] = id.split("*");
  if (tail === undefined || more.length > 0) return upstreamModel;
  const matched = name.slice(head.length, name.length - tail.length);
  return upstreamModel.replace("*", () => matched);
}

/** Overrides the header of the credential, which is by default the format's own. */
export interface UpstreamAuth {
  readonly header: string;
  /** Precedes the credential, such as `Bearer `. */
  readonly prefix?: string;
}

/** An upstream as configured. */
export interface UpstreamRecord {
  readonly id: string;
  /** A base URL without trailing slash for each format that the upstream speaks. */
  readonly endpoints: Readonly<Partial<Record<FormatName, string>>>;
  /**
   * In plain text, which is in memory only: the store seals them. Empty for an upstream that needs
   * none.
   */
  readonly credentials: readonly string[];
  /**
   * The reason the credentials could not be unsealed, in which case the upstream must not be
   * called. Never stored.
   */
  readonly credentialsFault?: string;
  readonly auth?: UpstreamAuth;
  readonly models: readonly UpstreamModel[];
  /** Upstreams with a higher priority are tried first. */
  readonly priority: number;
  readonly weight: number;
  /** The groups that it serves; `*` means all. See `servesGroup`. */
  readonly groups: readonly string[];
  readonly timeouts: UpstreamTimeouts;
  readonly enabled: boolean;
  readonly origin: Origin;
  /** `anthropic-version` for the messages format if the caller sent none. */
  readonly messagesVersion?: string;
  /** False if prompts from callers of other formats get no cache breakpoints; absent: true. */
  readonly automaticCaching?: boolean;
  /** The name of its preset, which knows the vendor's peculiarities. */
  readonly preset?: string;
}

type StoredUpstream = Omit<UpstreamRecord, "credentials" | "credentialsFault"> & {
  readonly sealedCredentials: readonly string[];
};

/** Returns true if an upstream may serve keys of a group. */
export function servesGroup(upstream: UpstreamRecord, groupId: string): boolean {
  return upstream.groups.includes(groupId) || upstream.groups.includes("*");
}

const upstreams = storedCollection<UpstreamRecord, StoredUpstream>(
  { name: "upstream", version: 1 },
  { all: keys.upstreams, at: keys.upstream, endAlong: removeUpstreamList },
  { open: opened, seal: sealed },
);

/** An upstream has its credentials unsealed in memory. */
export const {
  get: getUpstream,
  list: listUpstreams,
  create: createUpstream,
  remove: deleteUpstream,
} = upstreams;

/**
 * Returns undefined if there is no such upstream. The id never changes. Credentials that `change`
 * passes on stay sealed as they are, even if they cannot be unsealed. Additions of `along` are
 * written in the same commit.
 */
export function updateUpstream(
  store: Store,
  id: string,
  change: (upstream: UpstreamRecord) => UpstreamRecord,
  options?: Parameters<typeof upstreams.update>[3],
): Promise<UpstreamRecord | undefined> {
  return upstreams.update(store, id, (current) => {
    const upstream = change(current);
    const isKept = upstream.credentials === current.credentials;
    return isKept ? upstream : { ...upstream, credentialsFault: undefined };
  }, options);
}

async function opened(store: Store, stored: StoredUpstream): Promise<UpstreamRecord> {
  const { sealedCredentials, ...rest } = stored;
  try {
    const opening = sealedCredentials.map((one) => store.secretBox.open(one, context(stored.id)));
    return { ...rest, credentials: await Promise.all(opening) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...rest, credentials: [], credentialsFault: error.message };
  }
}

async function sealed(
  store: Store,
  { credentials, credentialsFault: _, ...rest }: UpstreamRecord,
  former?: Former<UpstreamRecord, StoredUpstream>,
): Promise<StoredUpstream> {
  if (credentials === former?.record.credentials) {
    return { ...rest, sealedCredentials: former.stored.sealedCredentials };
  }
  const seal = (plain: string) => store.secretBox.seal(plain, context(rest.id));
  return { ...rest, sealedCredentials: await Promise.all(credentials.map(seal)) };
}

function context(id: string): string {
  return `upstream ${id}`;
}
