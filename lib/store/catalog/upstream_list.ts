import { z } from "zod";
import type { FormatName } from "../../canonical/mod.ts";
import type { ListedModel } from "../../formats/models/listing.ts";
import { digestOf } from "../kv/digest.ts";
import { keys } from "../keys.ts";
import { deleteValue } from "../kv/large_record.ts";
import { decodeRecord, encodeRecord, type Kind, listRecords, setRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** The models that an upstream listed when it last answered; shared by all isolates and processes. */
export interface UpstreamList {
  readonly upstreamId: string;
  /** The address that was asked; see `listSource`. Lists of other addresses do not count. */
  readonly source: string;
  readonly models: readonly ListedModel[];
  /** False where the upstream lists more than is kept. */
  readonly isComplete: boolean;
}

const kind: Kind<UpstreamList> = {
  name: "upstream list",
  version: 1,
  schema: z.object({
    upstreamId: z.string(),
    source: z.string(),
    models: z.array(z.object({
      id: z.string(),
      displayName: z.string().optional(),
      contextWindow: z.number().optional(),
      maxOutputTokens: z.number().optional(),
    })),
    isComplete: z.boolean(),
  }),
};

/** Names the address at which an upstream lists its models. */
export function listSource(
  { endpoints }: { readonly endpoints: Readonly<Partial<Record<FormatName, string>>> },
): string {
  return digestOf(JSON.stringify(Object.entries(endpoints).sort()));
}

/** Returns true if a list has a model. A name without a tag means the latest (Ollama). */
export function hasListed(list: UpstreamList, name: string): boolean {
  const names = namesOf(list);
  return names.has(name) || names.has(`${name}:latest`);
}

/** Lists are never changed in place. */
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

/** Keeps a list in the place of the former one, unless the upstream was deleted meanwhile. */
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

/** Adds the removal of an upstream's list, and of the turns to ask for it, to a commit. */
export async function removeUpstreamList(
  store: Store,
  operation: Deno.AtomicOperation,
  upstreamId: string,
): Promise<void> {
  const former = await store.kv.get(keys.upstreamList(upstreamId));
  deleteValue(operation.check(former), former).delete(keys.upstreamListTurn(upstreamId));
}

/** The turn of one isolate of all to request an upstream's list, and the time of the next one. */
interface ListTurn {
  readonly upstreamId: string;
  /** Equal for as long as the upstream is asked in the same way. */
  readonly asked: string;
  readonly dueAtMs: number;
  /** Consecutive failures to get a list. */
  readonly failures: number;
}

const turnKind: Kind<ListTurn> = {
  name: "turn to ask for an upstream's list",
  version: 1,
  schema: z.object({
    upstreamId: z.string(),
    asked: z.string(),
    dueAtMs: z.number(),
    failures: z.number(),
  }),
};

type TakenTurn =
  | { readonly type: "taken"; readonly failures: number }
  /** Another isolate asks, or asked a short while ago. */
  | { readonly type: "wait"; readonly untilMs: number };

/**
 * Takes the turn to ask an upstream where it is due, until `untilMs`: then another may, should this
 * isolate be gone. An upstream that is asked in another way than before is due at once.
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

/** Says when the next turn is due. */
export async function endListTurn(store: Store, turn: ListTurn): Promise<void> {
  await store.kv.set(keys.upstreamListTurn(turn.upstreamId), encodeRecord(turnKind, turn));
}
