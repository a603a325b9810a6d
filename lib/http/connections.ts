import { Roster, type RosterMember } from "../roster.ts";
import { isOutOfFiles, OpenFiles } from "./open_files.ts";
import { startTimer, type Timer, within } from "./timers.ts";

/** The limits of a server's connections. */
export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** The share of a network in the connections, unless many callers may share its addresses. */
  readonly networkConnectionsPercent: number;
  /** The time for a client to send the head of its first request. */
  readonly headTimeoutMs: number;
  /** The time between an answer and the head of the next request. */
  readonly idleTimeoutMs: number;
}

/** The callers' networks. */
export interface Networks {
  readonly of: (address: string) => string;
  /** True for the address of a proxy, whose connections are many callers'. */
  readonly mayBeProxy: (address: string) => boolean;
}

/** The runtime's server of one connection. */
export type ServedConnection = Pick<Deno.HttpServer, "finished" | "shutdown">;

/** The part of a full server's idle connections that is closed at once, so that few looks are needed. */
const closedPart = 1 / 16;
/** After its answer has completed, a connection may still send the answer's last bytes for so long. */
const sendingMs = 5_000;
/** Waiting connections wait no longer for the end of a closed one. */
const closingMs = 1_000;
/** A full server without idle connections looks for them no more often. */
const lookEveryMs = 100;
/** Open files are measured again no more often. */
const measureEveryMs = 10_000;

/** A WebSocket that a connection was upgraded to. */
export interface Upgraded {
  /** True if it may be closed to make room for others. */
  isIdle(): boolean;
  /** Closes it, for others or because the server stops; `ended` follows. */
  close(): void;
  /** Closes it once its answers in flight have ended. */
  shutdown(): void;
  readonly ended: Promise<void>;
}

/** A connection from its acceptance to its end. */
export class OpenConnection implements RosterMember {
  position = -1;
  /** The time at which it opened or last completed an answer. */
  idleSinceMs = performance.now();
  hasAsked = false;
  requests = 0;
  served: ServedConnection | undefined;
  upgraded: Upgraded | undefined;
  readonly network: string;
  readonly #ended = Promise.withResolvers<void>();
  #cancel = () => {};

  constructor(network: string) {
    this.network = network;
  }

  /** Resolves once its descriptor is free. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The runtime's server adds its way to cancel a connection here, as to an `AbortSignal`. */
  addEventListener(_type: "abort", cancel: () => void): void {
    this.#cancel = cancel;
  }

  close(): void {
    if (this.upgraded) return this.upgraded.close();
    try {
      this.#cancel();
    } catch {
      // it is ending by itself
    }
  }

  /** Closes the connection after its answers in flight; at once if it has sent no request yet. */
  async shutdown(): Promise<void> {
    if (this.upgraded) {
      this.upgraded.shutdown();
      return await this.ended;
    }
    if (this.hasAsked) return await this.served?.shutdown();
    this.close(); // the runtime would wait for the rest of a head
    await this.ended;
  }

  end(): void {
    this.#ended.resolve();
  }
}

/**
 * The open connections of a server. Without free file descriptors the runtime cannot accept
 * connections, call upstreams or start workers, so there is a maximum: when it is reached, idle
 * connections are closed, the oldest first, of the networks that have most.
 */
export class Connections {
  readonly #open = new Roster<OpenConnection>();
  readonly #perNetwork = new Map<string, number>();
  readonly #limits: ConnectionLimits;
  readonly #networks: Networks;
  readonly #files: OpenFiles;
  #requests = 0;
  #wakesAtMs = Infinity;
  #timer: Timer | undefined;
  #looksAtMs = 0;
  #measuresAtMs = 0;

  constructor(limits: ConnectionLimits, networks: Networks) {
    this.#limits = limits;
    this.#networks = networks;
    this.#files = new OpenFiles(limits.connectionsMax);
  }

  members(): readonly OpenConnection[] {
    return this.#open.members();
  }

  /** Makes room for a connection from this address. Returns undefined if there is none. */
  admit(address: string): OpenConnection | undefined | Promise<OpenConnection | undefined> {
    const network = this.#networks.of(address);
    if (this.#hasRoom(address, network)) return this.#add(network);
    return this.#makeRoom(address, network);
  }

  /** Counts a request. Returns false if there are too many, as HTTP/2 allows. */
  begin(connection: OpenConnection, completed: Promise<unknown>): boolean {
    const isAllowed = this.#requests < this.#files.max || this.#grow();
    const end = () => this.#complete(connection);
    connection.hasAsked = true;
    connection.requests++;
    this.#requests++;
    completed.then(end, end); // rejects if the caller has disconnected
    return isAllowed;
  }

  async failedToAccept(error: unknown): Promise<void> {
    if (!isOutOfFiles(error) || !this.#measured()) return;
    await this.#closeIdle(() => true);
  }

  delete(connection: OpenConnection): void {
    const { network } = connection;
    this.#open.delete(connection);
    const left = (this.#perNetwork.get(network) ?? 0) - 1;
    if (left > 0) this.#perNetwork.set(network, left);
    else this.#perNetwork.delete(network);
    connection.end();
    if (this.#open.size === 0) this.#wakeAt(Infinity);
  }

  #add(network: string): OpenConnection {
    const connection = new OpenConnection(network);
    this.#open.add(connection);
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1);
    this.#wakeBy(connection.idleSinceMs + this.#limits.headTimeoutMs);
    return connection;
  }

  #complete(connection: OpenConnection): void {
    this.#requests--;
    if (--connection.requests > 0) return;
    connection.idleSinceMs = performance.now();
    if (connection.position >= 0) this.#wakeBy(this.#dueMs(connection));
  }

  #hasRoom(address: string, network: string): boolean {
    return this.#isWithinTotal() && this.#isWithinShare(address, network);
  }

  #isWithinTotal(): boolean {
    return this.#open.size < this.#files.max || this.#grow();
  }

  #isWithinShare(address: string, network: string): boolean {
    const count = this.#perNetwork.get(network) ?? 0;
    const share = this.#limits.networkConnectionsPercent / 100;
    return count < Math.max(1, this.#files.max * share) || this.#networks.mayBeProxy(address) ||
      this.#grow() && this.#isWithinShare(address, network);
  }

  /** Returns true if there is room for more connections and requests than before. */
  #grow(): boolean {
    const before = this.#files.max;
    return this.#files.grow(this.#usage()) && this.#files.max > before;
  }

  /** Measures the open files again, unless it has just done so. */
  #measured(): boolean {
    const nowMs = performance.now();
    if (nowMs < this.#measuresAtMs) return false;
    this.#measuresAtMs = nowMs + measureEveryMs;
    this.#files.measure(this.#usage());
    return true;
  }

  #usage() {
    return { connections: this.#open.size, requests: this.#requests };
  }

  async #makeRoom(address: string, network: string): Promise<OpenConnection | undefined> {
    if (performance.now() < this.#looksAtMs) return undefined;
    const isOfNetwork = (one: OpenConnection) => one.network === network;
    await this.#closeIdle(this.#isWithinTotal() ? isOfNetwork : () => true);
    if (this.#hasRoom(address, network)) return this.#add(network);
    if (this.#measured() && this.#hasRoom(address, network)) return this.#add(network);
    this.#looksAtMs = performance.now() + lookEveryMs;
  }

  /** Closes some of the idle connections, and waits a while for their ends. */
  async #closeIdle(isChosen: (connection: OpenConnection) => boolean): Promise<void> {
    const { max } = this.#files;
    const nowMs = performance.now();
    const idle = this.members().filter((one) => isChosen(one) && isIdle(one, nowMs));
    const count = Math.max(this.#open.size - max + 1, Math.ceil(idle.length * closedPart));
    const closed = oldestOfMost(idle, count);
    for (const connection of closed) connection.close();
    await within(closingMs, Promise.all(closed.map(({ ended }) => ended)));
  }

  /** The time at which the connection is closed if nothing arrives. */
  #dueMs({ requests, hasAsked, idleSinceMs, upgraded }: OpenConnection): number {
    const { headTimeoutMs, idleTimeoutMs } = this.#limits;
    return requests > 0 || upgraded
      ? Infinity
      : idleSinceMs + (hasAsked ? idleTimeoutMs : headTimeoutMs);
  }

  #closeOverdue(): void {
    const nowMs = performance.now();
    let nextMs = Infinity;
    for (const connection of this.members()) {
      const dueMs = this.#dueMs(connection);
      if (dueMs <= nowMs) connection.close();
      else nextMs = Math.min(nextMs, dueMs);
    }
    this.#wakeAt(nextMs);
  }

  #wakeBy(atMs: number): void {
    if (atMs < this.#wakesAtMs) this.#wakeAt(atMs);
  }

  #wakeAt(atMs: number): void {
    this.#timer?.cancel();
    this.#wakesAtMs = atMs;
    this.#timer = atMs === Infinity
      ? undefined
      : startTimer(Math.max(0, atMs - performance.now()), () => this.#closeOverdue());
  }
}

function isIdle(
  { requests, hasAsked, idleSinceMs, upgraded }: OpenConnection,
  nowMs: number,
): boolean {
  if (upgraded) return upgraded.isIdle();
  return requests === 0 && (!hasAsked || nowMs - idleSinceMs >= sendingMs);
}

/**
 * So many of these connections, so that the networks that have most are left with equally many.
 * Each network loses its oldest ones.
 */
export function oldestOfMost<
  One extends Pick<OpenConnection, "network" | "idleSinceMs">,
>(connections: readonly One[], count: number): readonly One[] {
  const counts = new Map<string, number>();
  const ranked = connections.toSorted((one, other) => other.idleSinceMs - one.idleSinceMs)
    .map((connection) => {
      const rank = (counts.get(connection.network) ?? 0) + 1; // 1 is the newest
      counts.set(connection.network, rank);
      return { connection, rank };
    });
  return ranked.reverse().sort((one, other) => other.rank - one.rank)
    .slice(0, count).map(({ connection }) => connection);
}
