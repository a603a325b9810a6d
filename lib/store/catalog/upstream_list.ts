import type { FormatName } from "../../canonical/mod.ts";
import type { ListedModel } from "../../formats/models.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { digestOf } from "../kv/digest.ts";
import { deleteValue } from "../kv/large_record.ts";
import { decodeRecord, encodeRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

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
export async function removeUpstreamList(
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
