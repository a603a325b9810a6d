import type { FormatName } from "../../canonical/mod.ts";
import type { ListedModel } from "../../formats/models.ts";
import { keys } from "../keys.ts";
import { type FormerRecord, storedCollection } from "../kv/collection.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { digestOf } from "../kv/digest.ts";
import { StoreError } from "../kv/error.ts";
import { deleteValue } from "../kv/large_record.ts";
import type { Origin } from "../kv/origin.ts";
import { decodeRecord, encodeRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { UpstreamTimeouts } from "../kv/timeouts.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import type { Cloud } from "./cloud.ts";
import type { ModelPrices } from "./model.ts";

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

/** The cost of calls of an upstream, or of one of its credentials, for the operator. */
export interface CostTerms {
  /** Multiplies the list prices. Absent: 1. */
  readonly factor?: number;
  /** Own prices instead of the list prices, by the upstream's name of a model or its public name. */
  readonly prices?: Readonly<Record<string, ModelPrices>>;
}

/** The cost of an upstream's calls for the operator. */
export interface UpstreamCostTerms extends CostTerms {
  /** Other terms of single credentials, by their names in the log. */
  readonly credentials?: Readonly<Record<string, CostTerms>>;
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
  /** True if callers' WebSockets reach its responses format over a WebSocket; absent: false. */
  readonly websocket?: boolean;
  /** False if a call that fails is never tried again at once; absent: true. */
  readonly retry?: boolean;
  /** True if it compacts histories itself; absent: if its preset or its address says so. */
  readonly ownCompaction?: boolean;
  /** Absent: list prices. */
  readonly costs?: UpstreamCostTerms;
  /** The name of its preset, which knows the vendor's peculiarities. */
  readonly preset?: string;
  /** Present if a cloud serves it on a surface with rules of its own. */
  readonly cloud?: Cloud;
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
  former?: FormerRecord<UpstreamRecord, StoredUpstream>,
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

/** The models of an upstream's latest list, shared by all isolates and processes. */
export interface UpstreamList {
  readonly upstreamId: string;
  /** The address of the list; see `listSource`. Lists from other addresses are ignored. */
  readonly source: string;
  readonly models: readonly ListedModel[];
  /** False if the list was too long to keep whole. */
  readonly isComplete: boolean;
}

const kind: Kind<UpstreamList> = { name: "upstream list", version: 1 };

/** Names the address at which an upstream lists its models. */
export function listSource(
  { endpoints }: { readonly endpoints: Readonly<Partial<Record<FormatName, string>>> },
): string {
  return digestOf(JSON.stringify(Object.entries(endpoints).sort()));
}

/** Returns true if a list has a model. A name without a tag means the tag `latest` (Ollama). */
export function hasListed(list: UpstreamList, name: string): boolean {
  const names = namesOf(list);
  return names.has(name) || names.has(`${name}:latest`);
}

/** Keyed by list, because lists are never changed in place. */
const namesByList = new WeakMap<UpstreamList, ReadonlySet<string>>();

function namesOf(list: UpstreamList): ReadonlySet<string> {
  const known = namesByList.get(list);
  if (known) return known;
  const names = new Set(list.models.map(({ id }) => id));
  namesByList.set(list, names);
  return names;
}

/** All lists, by the upstream's id. */
export async function listUpstreamLists(store: Store): Promise<ReadonlyMap<string, UpstreamList>> {
  const lists = await listRecords(store, kind, keys.upstreamLists);
  return new Map(lists.map((list) => [list.upstreamId, list]));
}

/** Replaces an upstream's list, unless the upstream was deleted meanwhile. */
export async function keepUpstreamList(store: Store, list: UpstreamList): Promise<void> {
  const key = keys.upstreamList(list.upstreamId);
  await untilCommitted(kind.name, async () => {
    const [upstream, former] = await store.kv.getMany([keys.upstream(list.upstreamId), key]);
    if (upstream.value === null) return false;
    const operation = store.kv.atomic()
      .check({ key: upstream.key, versionstamp: upstream.versionstamp }).check(former);
    setRecord(operation, kind, { former, record: list });
    return await store.commitChange(operation) || undefined;
  });
}

/** Adds the removal of an upstream's list, and of its turn, to a commit. */
async function removeUpstreamList(
  store: Store,
  operation: AtomicOperation,
  upstreamId: string,
): Promise<void> {
  const former = await store.kv.get(keys.upstreamList(upstreamId));
  deleteValue(operation.check(former), former).delete(keys.upstreamListTurn(upstreamId));
}

/** The lock for fetching an upstream's list: one isolate at a time holds it. */
interface ListTurn {
  readonly upstreamId: string;
  /** Identifies the request; equal until the upstream's configuration changes it. */
  readonly asked: string;
  readonly dueAtMs: number;
  /** Consecutive failures to get a list. */
  readonly failures: number;
}

const turnKind: Kind<ListTurn> = { name: "turn to ask for an upstream's list", version: 1 };

type TakenTurn =
  | { readonly type: "taken"; readonly failures: number }
  /** Another isolate is fetching the list, or did so a short while ago. */
  | { readonly type: "wait"; readonly untilMs: number };

/**
 * Takes the turn to fetch an upstream's list if it is due. Another isolate may take over after
 * `untilMs`, in case this one dies. A changed request is due at once.
 */
export async function takeListTurn(
  store: Store,
  { upstreamId, asked, nowMs, untilMs }: Pick<ListTurn, "upstreamId" | "asked"> & {
    readonly nowMs: number;
    readonly untilMs: number;
  },
): Promise<TakenTurn> {
  const key = keys.upstreamListTurn(upstreamId);
  return await untilCommitted(turnKind.name, async (): Promise<TakenTurn | undefined> => {
    const entry = await store.kv.get(key);
    const turn = entry.value === null ? undefined : decodeRecord(turnKind, entry.value);
    const isSame = turn?.asked === asked;
    if (isSame && turn.dueAtMs > nowMs) return { type: "wait", untilMs: turn.dueAtMs };
    const failures = isSame ? turn.failures : 0;
    const next = { upstreamId, asked, dueAtMs: untilMs, failures };
    const { ok } = await store.kv.atomic().check(entry).set(key, encodeRecord(turnKind, next))
      .commit();
    return ok ? { type: "taken", failures } : undefined;
  });
}

/** Ends the turn, and sets when the next one is due. */
export async function endListTurn(store: Store, turn: ListTurn): Promise<void> {
  await store.kv.set(keys.upstreamListTurn(turn.upstreamId), encodeRecord(turnKind, turn));
}
