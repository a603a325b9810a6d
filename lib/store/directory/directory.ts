import { isDeepStrictEqual } from "node:util";
import { Activity } from "../../activity.ts";
import { type ApiKey, getApiKey, getApiKeyByDigest } from "../api_keys/api_key.ts";
import { OpenChecks } from "../api_keys/connection_check.ts";
import type { DenialReason } from "../api_keys/counted_calls.ts";
import { type Group, listGroups } from "../catalog/group.ts";
import { listModels, type Model } from "../catalog/model.ts";
import { type PriceFeed, readPriceFeed } from "../catalog/price_feed.ts";
import { readSettings, type Settings } from "../catalog/settings.ts";
import {
  listSource,
  listUpstreamLists,
  listUpstreams,
  type UpstreamList,
  type UpstreamRecord,
} from "../catalog/upstream.ts";
import { getChange, watchChange } from "../kv/change.ts";
import type { Store } from "../kv/store.ts";
import type { Watch } from "../kv/watch.ts";
import type { Bounds, ChildBudget } from "../money/budget.ts";
import { getOrganization } from "../projects/bounds.ts";
import { listProjects, type Project } from "../projects/project.ts";
import type { Tag } from "../projects/tag.ts";
import { recordedUntil } from "../recordings/recording.ts";
import { defaultSpending, firstAccountId, getUser } from "../users/user.ts";
import { ChildCounts } from "./child_counts.ts";
import { KeyCache, KeyDigests, type KnownKey } from "./key_cache.ts";
import { DenialNotes, type FormerUse, KeyUse } from "./key_use.ts";
import { type CallTag, KnownTags, readTags, type Tags } from "./known_tags.ts";

/** Memory limits of the directory, and its intervals. */
export interface DirectoryOptions {
  readonly keysMax?: number;
  readonly unknownKeysMax?: number;
  /** Polling interval of a store shared by several processes, in addition to watching it. */
  readonly pollMs?: number;
  /** The interval at which the uses of keys are written. */
  readonly touchIntervalMs?: number;
  readonly now?: () => number;
  /** Polling pauses without requests; by default it never does. */
  readonly activity?: Activity;
}

const defaults = {
  keysMax: 10_000,
  unknownKeysMax: 10_000,
  pollMs: 500,
  now: Date.now,
} as const satisfies DirectoryOptions;

const retryMs = 500;
/** Longer on a shared store, so that a key in use costs one write for many calls. */
const touchIntervalMs = { local: 1_000, shared: 15_000 } as const;

/** The records, as they were read together. */
interface Records {
  readonly groups: readonly Group[];
  readonly upstreams: readonly UpstreamRecord[];
  readonly upstreamLists: ReadonlyMap<string, UpstreamList>;
  readonly models: readonly Model[];
  /** Undefined before the first refresh of the prices. */
  readonly priceFeed: PriceFeed | undefined;
  readonly settings: Settings;
  readonly projects: readonly Project[];
  /** The limits of all calls together; undefined if there are none. */
  readonly organization: Bounds | undefined;
  readonly tags: Tags;
}

interface Snapshot extends Records {
  readonly groupsById: ReadonlyMap<string, Group>;
  readonly modelsById: ReadonlyMap<string, Model>;
  readonly projectsById: ReadonlyMap<string, Project>;
}

/**
 * Holds in memory all records that the request path reads: once warm, no call reads the store.
 * Changes by this isolate apply at once for API keys and within milliseconds for the rest; changes
 * by others arrive through `kv.watch`, within a second.
 *
 * Lists keep their identity until they change, so that derived values can be cached beside them.
 */
export class Directory {
  readonly #store: Store;
  readonly #keys: KeyCache;
  readonly #digests = new KeyDigests();
  readonly #use: KeyUse;
  readonly #denials: DenialNotes;
  readonly #tags: KnownTags;
  readonly #children: ChildCounts;
  /** Open connection checks. */
  readonly checks: OpenChecks;
  #snapshot: Snapshot;
  #lastChange: string;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;
  /** Resolves once the snapshot has the last change, or could not be read. */
  #applied: Promise<void> = Promise.resolve();
  #closed = false;
  readonly #onUpstreams = new Set<() => void>();
  readonly #watch: Watch;
  readonly #stopListening: () => void;

  static async load(store: Store, options: DirectoryOptions = {}): Promise<Directory> {
    const lastChange = await getChange(store);
    return new Directory(store, snapshotOf(await readRecords(store)), {
      ...defaults,
      activity: new Activity(Infinity),
      touchIntervalMs: touchIntervalMs[store.sharedByProcesses ? "shared" : "local"],
      ...options,
      lastChange,
    });
  }

  private constructor(
    store: Store,
    snapshot: Snapshot,
    options: Required<DirectoryOptions> & { readonly lastChange: string },
  ) {
    this.#store = store;
    this.#snapshot = snapshot;
    this.#lastChange = options.lastChange;
    this.#keys = new KeyCache({ ...options, read: (digest) => readKey(store, digest) });
    this.#use = new KeyUse(store, options.touchIntervalMs);
    this.#denials = new DenialNotes(store);
    this.#tags = new KnownTags(store, () => this.#snapshot.tags);
    this.#children = new ChildCounts(store);
    this.checks = new OpenChecks(store);
    const changed = (versionstamp: string) => this.#changed(versionstamp);
    this.#stopListening = store.onChange((versionstamp) => void changed(versionstamp));
    const pollMs = store.sharedByProcesses ? options.pollMs : undefined;
    this.#watch = watchChange(store, changed, { retryMs, pollMs, activity: options.activity });
  }

  /**
   * Returns the key of a secret; undefined if there is none. The caller must reject disabled and
   * expired keys. Keys of disabled or deleted users are returned as disabled. The secret is hashed
   * first, so a digest from a copy of the store opens nothing.
   */
  findKey(secret: string): Promise<KnownKey | undefined> {
    return this.#keys.find(this.#digests.of(secret));
  }

  /** The same by the digest of a secret that is not sent: that of a child key's parent. */
  findKeyByDigest(digest: string): Promise<KnownKey | undefined> {
    return this.#keys.find(digest);
  }

  /** Returns false if too many other child keys of the key have budgets. */
  admitsChild(
    key: ApiKey,
    child: Pick<ChildBudget, "name" | "endsAtMs">,
    nowMs: number,
  ): Promise<boolean> {
    return this.#children.admits(key, child, nowMs);
  }

  /** Like `findKey`, but from memory alone: undefined also if the key was not read yet. */
  peekKey(secret: string): KnownKey | undefined {
    return this.#keys.peek(this.#digests.of(secret));
  }

  /** Reads a key from the store by its id, for callers that may use it without its secret. */
  async keyById(id: string): Promise<KnownKey | undefined> {
    const apiKey = await getApiKey(this.#store, id);
    return apiKey && await this.withAccount(apiKey);
  }

  /** Adds the account that pays for a key, from the store. Disables the key if its user is. */
  withAccount(apiKey: ApiKey): Promise<KnownKey> {
    return withAccount(this.#store, apiKey);
  }

  /**
   * Records the use of a key and of its former secret, or of an account without a key. Never waits;
   * several uses share one write.
   */
  touchKey(id: string, atMs: number, former?: FormerUse): void {
    this.#use.touch(id, atMs, former);
  }

  /** Records a refused call of a key. Never waits; several calls share one write. */
  noteDenied(id: string, reason: DenialReason, from: { ip: string; atMs: number }): void {
    this.#denials.note(id, reason, from);
  }

  /** Resolves once the refused calls recorded here are in the store. */
  writeDenials(): Promise<void> {
    return this.#denials.flush();
  }

  groups(): readonly Group[] {
    return this.#snapshot.groups;
  }

  group(id: string): Group | undefined {
    return this.#snapshot.groupsById.get(id);
  }

  /** All projects, archived ones too. */
  projects(): readonly Project[] {
    return this.#snapshot.projects;
  }

  project(id: string): Project | undefined {
    return this.#snapshot.projectsById.get(id);
  }

  /** The limits of all calls together; undefined if there are none. */
  organization(): Bounds | undefined {
    return this.#snapshot.organization;
  }

  /**
   * Returns a call's tags as they are counted, with their limits: at once, except for the first
   * call with a tag.
   */
  countTags(tags: readonly Tag[]): readonly CallTag[] | Promise<readonly CallTag[]> {
    return this.#tags.count(tags);
  }

  /** The keys of the tags that are counted by themselves or have limits, sorted. */
  tagKeys(): readonly string[] {
    return this.#tags.keys();
  }

  /**
   * Returns the upstreams. One whose credentials could not be unsealed is disabled, with
   * `credentialsFault`.
   */
  upstreams(): readonly UpstreamRecord[] {
    return this.#snapshot.upstreams;
  }

  /**
   * Returns the models that upstreams list, by upstream id; without upstreams that never answered
   * at their present address.
   */
  upstreamLists(): ReadonlyMap<string, UpstreamList> {
    return this.#snapshot.upstreamLists;
  }

  /**
   * Calls the listener after upstreams or their lists have changed. Returns a function that stops
   * it.
   */
  onUpstreams(listener: () => void): () => void {
    this.#onUpstreams.add(listener);
    return () => this.#onUpstreams.delete(listener);
  }

  models(): readonly Model[] {
    return this.#snapshot.models;
  }

  model(id: string): Model | undefined {
    return this.#snapshot.modelsById.get(id);
  }

  /** The last refresh of the prices; undefined before the first. */
  priceFeed(): PriceFeed | undefined {
    return this.#snapshot.priceFeed;
  }

  /** Returns true if an operator named the model: in an upstream, not only by a pattern, or by a price. */
  isConfigured(model: string): boolean {
    return this.model(model) !== undefined ||
      this.upstreams().some(({ models }) => models.some(({ id }) => id === model));
  }

  /** The settings of the site. */
  settings(): Settings {
    return this.#snapshot.settings;
  }

  /** Reads everything again. Concurrent calls share the next read. */
  refresh(): Promise<void> {
    this.#keys.clear();
    this.#queued ??= this.#running.catch(() => {}).then(() => {
      this.#queued = undefined;
      this.#running = this.#read();
      return this.#running;
    });
    return this.#queued;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    await Promise.all([
      this.#watch.stop(),
      this.#use.close(),
      this.#denials.close(),
      this.checks.close(),
    ]);
    await Promise.allSettled([this.#queued, this.#running]);
  }

  /** Refreshes after a change. Versionstamps grow, so a known or older one reports nothing new. */
  #changed(versionstamp: string): Promise<void> {
    if (versionstamp > this.#lastChange) {
      this.#lastChange = versionstamp;
      this.#applied = this.refresh().catch(() => this.#retry());
    }
    return this.#applied;
  }

  /** Retries after a failed read, until the store responds. */
  #retry(): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      if (!this.#closed) this.refresh().catch(() => this.#retry());
    }, retryMs);
    Deno.unrefTimer(timer);
  }

  async #read(): Promise<void> {
    const { upstreams, upstreamLists } = this.#snapshot;
    this.#snapshot = snapshotOf(keepSame(this.#snapshot, await readRecords(this.#store)));
    const { upstreams: nowUpstreams, upstreamLists: nowLists } = this.#snapshot;
    if (upstreams === nowUpstreams && upstreamLists === nowLists) return;
    for (const listener of this.#onUpstreams) listener();
  }
}

async function readRecords(store: Store): Promise<Records> {
  const [groups, upstreams, lists, models, priceFeed, settings, projects, organization, tags] =
    await Promise.all([
      listGroups(store),
      listUpstreams(store),
      listUpstreamLists(store),
      listModels(store),
      readPriceFeed(store),
      readSettings(store),
      listProjects(store),
      getOrganization(store),
      readTags(store),
    ]);
  return {
    groups,
    upstreams: upstreams.map((upstream) =>
      upstream.credentialsFault === undefined ? upstream : { ...upstream, enabled: false }
    ),
    upstreamLists: new Map(upstreams.flatMap((upstream) => {
      const list = lists.get(upstream.id);
      return list?.source === listSource(upstream) ? [[upstream.id, list]] : [];
    })),
    models,
    priceFeed,
    settings,
    projects,
    organization,
    tags,
  };
}

function snapshotOf(records: Records): Snapshot {
  return {
    ...records,
    groupsById: byId(records.groups),
    modelsById: byId(records.models),
    projectsById: byId(records.projects),
  };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]) {
  return new Map(items.map((item) => [item.id, item]));
}

/** Returns what was read, with the former values where these are equal. */
function keepSame(former: Records, read: Records): Records {
  const names = Object.keys(read) as (keyof Records)[]; // its own keys
  const kept = names.filter((name) => isDeepStrictEqual(former[name], read[name]));
  return { ...read, ...Object.fromEntries(kept.map((name) => [name, former[name]])) };
}

async function readKey(store: Store, digest: string): Promise<KnownKey | undefined> {
  const apiKey = await getApiKeyByDigest(store, digest);
  return apiKey && await withAccount(store, apiKey);
}

async function withAccount(store: Store, apiKey: ApiKey): Promise<KnownKey> {
  const { accountId } = apiKey;
  const [owner, recordUntilMs] = await Promise.all([
    getUser(store, accountId),
    recordedUntil(store, apiKey),
  ]);
  const enabled = apiKey.enabled && (owner?.enabled ?? accountId === firstAccountId);
  const { spending = defaultSpending(accountId), budgets, limits, projectId } = owner ?? {};
  return {
    ...apiKey,
    enabled,
    ...(recordUntilMs !== undefined && { recordUntilMs }),
    account: {
      spending,
      ...(budgets && { budgets }),
      ...(limits && { limits }),
      ...(projectId !== undefined && { projectId }),
    },
  };
}
