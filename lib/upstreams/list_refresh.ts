import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { GatewayError } from "../canonical/mod.ts";
import type { ListedModel } from "../formats/models.ts";
import {
  endListTurn,
  keepUpstreamList,
  listSource,
  takeListTurn,
  type UpstreamRecord,
} from "../store/catalog/mod.ts";
import type { Directory } from "../store/directory/mod.ts";
import { pause, type Store } from "../store/mod.ts";
import { presetNamed } from "./presets/mod.ts";
import { listUpstreamModels } from "./probe.ts";
import type { Send } from "./send.ts";
import { surfaceOf } from "./surfaces/mod.ts";

interface ListRefreshOptions {
  readonly send: Send;
  readonly limits: {
    readonly modelListRefreshMs: number;
    readonly modelListTimeoutMs: number;
    readonly modelsListedMax: number;
  };
  /** Reports the first failure to list an upstream's models, then none until a list succeeds. Contains no credentials. */
  readonly report: (upstreamId: string, error: GatewayError) => void;
}

/** The delay before a retry, doubled with each consecutive failure. */
const retryMs = 5_000;
/** Another isolate takes over a request that is this much older than the timeout. */
const graceMs = 5_000;

/**
 * Keeps the model lists of upstreams with name patterns fresh: fetches each at the start, after a
 * change and at intervals, in one isolate on behalf of all. An upstream that fails keeps its last
 * list. No call waits for a refresh.
 */
export class ListRefresh {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #options: ListRefreshOptions;
  readonly #running = new Map<string, { readonly asked: string; readonly stop: AbortController }>();
  readonly #ends = new Set<Promise<void>>();
  readonly #failed = new Set<string>();
  #onAnswered: () => void = () => {};
  #stopListening: () => void = () => {};

  constructor(store: Store, directory: Directory, options: ListRefreshOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#options = options;
  }

  start(): void {
    this.#stopListening = this.#directory.onUpstreams(() => this.#follow());
    this.#follow();
  }

  /** Resolves when each upstream has listed or failed, at the latest after `waitMs`. */
  async firstLists(waitMs: number): Promise<void> {
    const late = new AbortController();
    const waiting = pause(waitMs, late.signal).then(() => late.abort());
    while (!late.signal.aborted && this.#isWaiting()) {
      await Promise.race([waiting, new Promise<void>((resolve) => this.#onAnswered = resolve)]);
    }
    late.abort();
  }

  async close(): Promise<void> {
    this.#stopListening();
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all(this.#ends);
  }

  #isWaiting(): boolean {
    const lists = this.#directory.upstreamLists();
    return [...this.#running.keys()].some((id) => !lists.has(id) && !this.#failed.has(id));
  }

  /** Starts refreshing new and changed upstreams, and stops refreshing removed ones. */
  #follow(): void {
    const wanted = new Map(
      this.#directory.upstreams().filter(isAsked).map((one) => [one.id, askedAs(one)]),
    );
    for (const [id, { asked, stop }] of this.#running) {
      if (wanted.get(id) === asked) continue;
      stop.abort();
      this.#running.delete(id);
    }
    for (const [id, asked] of wanted) if (!this.#running.has(id)) this.#begin(id, asked);
    this.#onAnswered();
  }

  #begin(id: string, asked: string): void {
    const stop = new AbortController();
    this.#running.set(id, { asked, stop });
    this.#failed.delete(id);
    const end = this.#askUntil(stop.signal, id, asked).finally(() => this.#ends.delete(end));
    this.#ends.add(end);
  }

  async #askUntil(signal: AbortSignal, upstreamId: string, asked: string): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.#turn(signal, { upstreamId, asked }).catch(() => retryMs); // store away
      await pause(waitMs, signal);
    }
  }

  /** Fetches the list if it is this isolate's turn; returns the wait until the next turn. */
  async #turn(
    signal: AbortSignal,
    turn: { readonly upstreamId: string; readonly asked: string },
  ): Promise<number> {
    const { modelListRefreshMs, modelListTimeoutMs } = this.#options.limits;
    const nowMs = Date.now();
    const untilMs = nowMs + modelListTimeoutMs + graceMs;
    const taken = await takeListTurn(this.#store, { ...turn, nowMs, untilMs });
    if (taken.type === "wait") return taken.untilMs - nowMs;
    const hasList = await this.#ask(signal, turn.upstreamId, taken.failures === 0);
    if (signal.aborted) return 0;
    const failures = hasList ? 0 : taken.failures + 1;
    const waitMs = hasList
      ? modelListRefreshMs
      : Math.min(retryMs * 2 ** taken.failures, modelListRefreshMs);
    await endListTurn(this.#store, { ...turn, dueAtMs: Date.now() + waitMs, failures });
    if (!hasList) this.#failed.add(turn.upstreamId);
    this.#onAnswered();
    return waitMs;
  }

  /** Returns true if the upstream returned a list. */
  async #ask(signal: AbortSignal, upstreamId: string, isFirst: boolean): Promise<boolean> {
    const upstream = this.#directory.upstreams().find(({ id }) => id === upstreamId);
    if (upstream === undefined) return false;
    const { send, limits, report } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limits.modelListTimeoutMs);
    try {
      const caller = AbortSignal.any([signal, late.signal]);
      const listed = await listUpstreamModels(upstream, send, caller);
      await this.#keep(upstream, listed, limits.modelsListedMax);
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (isFirst && !signal.aborted) report(upstreamId, late.signal.aborted ? tooSlow() : error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async #keep(
    upstream: UpstreamRecord,
    { models, isComplete }: Awaited<ReturnType<typeof listUpstreamModels>>,
    modelsMax: number,
  ): Promise<void> {
    const kept = fitting(models, modelsMax);
    const list = {
      upstreamId: upstream.id,
      source: listSource(upstream),
      models: kept,
      isComplete: isComplete && kept.length === models.length,
    };
    const known = this.#directory.upstreamLists().get(upstream.id);
    if (!isDeepStrictEqual(known, list)) await keepUpstreamList(this.#store, list);
  }
}

function tooSlow(): GatewayError {
  return new GatewayError("upstream_timeout", "The upstream timed out listing its models");
}

/** Returns true if the upstream serves patterns and lists the names that it is called by. */
function isAsked({ enabled, models, preset, cloud }: UpstreamRecord): boolean {
  return enabled && (surfaceOf({ cloud }) ?? presetNamed(preset))?.listsOwnNames !== false &&
    models.some(({ id, upstreamModel }) => id.includes("*") && upstreamModel === undefined);
}

/** A digest of all settings that affect the list. Reveals no credential. */
function askedAs({ endpoints, credentials, auth, messagesVersion }: UpstreamRecord): string {
  return hash("sha256", JSON.stringify([endpoints, credentials, auth, messagesVersion]), "hex");
}

/** The most bytes of a stored list, with room for the rest of its record. */
const listBytesMax = 600_000;

/** The first models, up to the limits of a stored list. */
function fitting(models: readonly ListedModel[], modelsMax: number): readonly ListedModel[] {
  let bytes = 0;
  const at = models.findIndex((model) =>
    (bytes += Buffer.byteLength(JSON.stringify(model))) > listBytesMax
  );
  return models.slice(0, at < 0 ? modelsMax : Math.min(at, modelsMax));
}
