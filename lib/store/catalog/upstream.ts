import type { FormatName } from "../../canonical/mod.ts";
import {
  addAuditEntry,
  auditOf,
  type AuditOptions,
  type ChangeOptions,
  type DeleteOptions,
} from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { StoreError } from "../kv/error.ts";
import { deleteValue } from "../kv/large_record.ts";
import { assertMayChange, type Origin } from "../kv/origin.ts";
import { changeRecord, getRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
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

const kind: Kind<StoredUpstream> = { name: "upstream", version: 1 };

/** Returns true if an upstream may serve keys of a group. */
export function servesGroup(upstream: UpstreamRecord, groupId: string): boolean {
  return upstream.groups.includes(groupId) || upstream.groups.includes("*");
}

/** Returns an upstream with its credentials unsealed; undefined if there is none. */
export async function getUpstream(store: Store, id: string): Promise<UpstreamRecord | undefined> {
  const stored = await getRecord(store, kind, keys.upstream(id));
  return stored === undefined ? undefined : await opened(store, stored);
}

/** Returns all upstreams with their credentials unsealed, by id. */
export async function listUpstreams(store: Store): Promise<UpstreamRecord[]> {
  const found = await listRecords(store, kind, keys.upstreams);
  return await Promise.all(found.map((stored) => opened(store, stored)));
}

/** Throws `already_exists` if the id is taken. */
export async function createUpstream(
  store: Store,
  upstream: UpstreamRecord,
  { audit }: AuditOptions = {},
): Promise<void> {
  const key = keys.upstream(upstream.id);
  const record = withSealed(upstream, await sealAll(store, upstream));
  const operation = store.kv.atomic().check({ key, versionstamp: null });
  setRecord(operation, kind, { former: { key, value: null }, record });
  if (await store.commitChange(addAuditEntry(operation, audit))) return;
  throw new StoreError("already_exists", `Cannot create upstream: ${upstream.id} already exists`);
}

/**
 * Returns undefined if there is no such upstream. The id never changes. Credentials that `change`
 * passes on stay sealed as they are, even if they cannot be unsealed. Additions of `along` are
 * written in the same commit.
 */
export function updateUpstream(
  store: Store,
  id: string,
  change: (upstream: UpstreamRecord) => UpstreamRecord,
  { by = "console", audit, along }: ChangeOptions<UpstreamRecord> & {
    readonly along?: (operation: AtomicOperation) => Promise<void>;
  } = {},
): Promise<UpstreamRecord | undefined> {
  return changeRecord(
    store,
    { kind, key: keys.upstream(id) },
    async (stored, operation, former) => {
      assertMayChange(stored, by, `upstream ${id}`);
      const current = await opened(store, stored);
      const upstream = { ...change(current), id };
      const kept = upstream.credentials === current.credentials;
      const sealed = kept ? stored.sealedCredentials : await sealAll(store, upstream);
      setRecord(operation, kind, { former, record: withSealed(upstream, sealed) });
      addAuditEntry(operation, auditOf(audit, current, upstream));
      await along?.(operation);
      return kept ? upstream : { ...upstream, credentialsFault: undefined };
    },
  );
}

/** Returns false if there was none. */
export async function deleteUpstream(
  store: Store,
  id: string,
  { by = "console", audit }: DeleteOptions<UpstreamRecord> = {},
): Promise<boolean> {
  const deleted = await changeRecord(
    store,
    { kind, key: keys.upstream(id) },
    async (found, operation, former) => {
      assertMayChange(found, by, `upstream ${id}`);
      await removeUpstreamList(store, operation, id);
      const entry = typeof audit === "function" ? audit(await opened(store, found)) : audit;
      addAuditEntry(deleteValue(operation, former), entry);
      return true;
    },
  );
  return deleted ?? false;
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

function sealAll(store: Store, { id, credentials }: UpstreamRecord): Promise<string[]> {
  return Promise.all(credentials.map((plain) => store.secretBox.seal(plain, context(id))));
}

function withSealed(
  { credentials: _, credentialsFault: __, ...rest }: UpstreamRecord,
  sealedCredentials: readonly string[],
): StoredUpstream {
  return { ...rest, sealedCredentials };
}

function context(id: string): string {
  return `upstream ${id}`;
}
