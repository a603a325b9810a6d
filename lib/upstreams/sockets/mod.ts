import { GatewayError, type JsonObject } from "../../canonical/mod.ts";
import type { Deadline } from "../deadline.ts";
import type { Outbound } from "../fetch.ts";
import type { SocketConnection } from "./connection.ts";
import type { SocketDialer } from "./dialer.ts";
import { errorCodeIn, eventBytes, type Frame, frameOf, isLast, refusalIn } from "./frame.ts";
import { LastTurn, type SocketRequest, socketRequest } from "./last_turn.ts";

/** A call that may go over a WebSocket. */
interface SocketCall {
  readonly outbound: Outbound;
  readonly deadline: Deadline;
  readonly dialer: SocketDialer;
  readonly timeouts: { readonly connectMs: number; readonly firstByteMs: number };
}

/** The most connections of one caller; calls to further upstreams are POSTed. */
const keptMax = 8;
/** Upstreams end a connection after 60 minutes. */
const ageMsMax = 55 * 60_000;
/** A connection that was unused for longer is asked whether it still is one. */
const idleMsMax = 5_000;
const pingMs = 2_000;
/** A connection that was unused for longer leaves its place to another one. */
const unusedMs = 5 * 60_000;
/** The longest wait for the first event on a connection that has answered before. */
const firstEventMs = 60_000;

/**
 * The WebSockets to upstreams that belong to one caller's WebSocket: one for each address and
 * credential, kept between turns. The upstream remembers the last answer of a connection, so that a
 * turn that continues it sends only what is new.
 */
export class UpstreamSockets {
  readonly #kept = new Map<string, KeptSocket>();
  readonly #now: () => number;
  #isClosed = false;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Answers a call over a connection, with the events as server-sent events and an error as the
   * status that it names. Resolves with undefined, having sent nothing that the upstream accepted,
   * if the call must be POSTed. Rejects like `fetch` if a connection breaks after the request was
   * sent.
   */
  answer(call: SocketCall): Promise<Response | undefined> | undefined {
    const { url, headers } = call.outbound;
    const key = JSON.stringify([url, headers]);
    const kept = this.#kept.get(key) ?? this.#newKept();
    if (kept) this.#kept.set(key, kept);
    return kept?.answer(call);
  }

  /** A place for another connection; undefined if there is none. */
  #newKept(): KeptSocket | undefined {
    if (this.#isClosed) return undefined;
    if (this.#kept.size >= keptMax) this.#forgetUnused();
    return this.#kept.size < keptMax ? new KeptSocket(this.#now) : undefined;
  }

  /** Ends connections that nothing uses any more, such as those of former credentials. */
  #forgetUnused(): void {
    for (const [key, kept] of this.#kept) {
      if (kept.idleMs < unusedMs) continue;
      kept.close();
      this.#kept.delete(key);
    }
  }

  /** The number of open connections. */
  get size(): number {
    return this.#kept.values().reduce((sum, { isOpen }) => sum + Number(isOpen), 0);
  }

  /** Ends all connections, and the answers on them. */
  close(): void {
    this.#isClosed = true;
    for (const kept of this.#kept.values()) kept.close();
    this.#kept.clear();
  }
}

/** A connection that carries one answer at a time, and is replaced when it is old or broken. */
class KeptSocket {
  readonly #now: () => number;
  #connection?: SocketConnection;
  #openedAtMs = 0;
  /** The time of the end of its last turn. */
  #idleSinceMs = 0;
  #turn?: Turn | undefined;
  #isClosed = false;
  readonly #last = new LastTurn();

  constructor(now: () => number) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#connection?.isOpen === true;
  }

  /** The milliseconds since its last turn; 0 during one. */
  get idleMs(): number {
    return this.#turn ? 0 : this.#now() - this.#idleSinceMs;
  }

  async answer(call: SocketCall): Promise<Response | undefined> {
    if (this.#turn || this.#isClosed) return undefined;
    const turn = this.#turn = new Turn(call, {
      abandon: (reason) => this.#drop(reason),
      over: () => this.#rest(),
    });
    try {
      return turn.begun(await this.#answered(call, turn));
    } catch (cause) {
      this.#drop();
      turn.end();
      if (!isByCaller(call.deadline.signal.reason)) call.dialer.doubt(call.outbound);
      throw cause;
    }
  }

  #rest(): void {
    this.#turn = undefined;
    this.#idleSinceMs = this.#now();
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  async #answered(call: SocketCall, turn: Turn): Promise<Response | undefined> {
    const before = this.#connection;
    const connection = await this.#connected(call);
    if (!connection) return undefined;
    const request = await socketRequest(call.outbound.body ?? "{}");
    call.deadline.awaitFirstByte();
    const ask = { request, call, connection, isReused: connection === before };
    const first = await this.#first(ask);
    if (errorCodeIn(first) === "websocket_connection_limit_reached") return this.#drop();
    const refusal = refusalIn(first);
    if (!refusal) return this.#stream(connection, first, turn);
    if (refusal.status === 401) this.#drop();
    return refusal;
  }

  /** The open connection, if it is still good, else a new one. */
  async #connected(
    { outbound, deadline, dialer, timeouts }: SocketCall,
  ): Promise<SocketConnection | undefined> {
    const known = this.#connection;
    if (known && await this.#isGood(known)) return known;
    this.#drop();
    this.#openedAtMs = this.#now();
    const { connectMs } = timeouts;
    const dialled = await dialer.dial(outbound, { caller: deadline.signal, connectMs });
    if (dialled && (this.#isClosed || deadline.signal.aborted)) dialled.close();
    else this.#connection = dialled;
    return this.#connection;
  }

  async #isGood(connection: SocketConnection): Promise<boolean> {
    const nowMs = this.#now();
    if (!connection.isOpen || nowMs - this.#openedAtMs > ageMsMax) return false;
    if (!connection.dropIdle()) return false;
    return nowMs - this.#idleSinceMs < idleMsMax || await connection.answersPing(pingMs);
  }

  /** Sends the request, if possible only what is new, and reads the first frame of its answer. */
  async #first(ask: Ask): Promise<Frame> {
    const continued = this.#last.continued(ask.request);
    const first = await this.#ask(ask, continued);
    const isForgotten = continued && errorCodeIn(first) === "previous_response_not_found";
    return isForgotten ? await this.#ask(ask, undefined) : first;
  }

  async #ask(
    { request, call: { timeouts }, connection, isReused }: Ask,
    continued: JsonObject | undefined,
  ): Promise<Frame> {
    this.#last.begin(request);
    connection.send(JSON.stringify({ type: "response.create", ...request.body, ...continued }));
    if (!isReused || timeouts.firstByteMs <= firstEventMs) return frameOf(await connection.read());
    const timer = setTimeout(() => connection.close(silent()), firstEventMs);
    try {
      return frameOf(await connection.read());
    } finally {
      clearTimeout(timer);
    }
  }

  /** The events from the first one on, read at the caller's pace. */
  #stream(connection: SocketConnection, first: Frame, turn: Turn): Response {
    let waiting: Frame | undefined = first;
    const body = new ReadableStream<Uint8Array>({
      type: "bytes",
      pull: async (controller) => {
        try {
          const frame = waiting ?? frameOf(await connection.read());
          if (connection !== this.#connection) throw new Error("The WebSocket was given up");
          waiting = undefined;
          this.#last.see(frame);
          if (isLast(frame)) this.#end(frame, turn);
          controller.enqueue(eventBytes(frame));
          if (isLast(frame)) controller.close();
        } catch (cause) {
          if (connection === this.#connection) this.#drop();
          turn.end();
          throw cause;
        }
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #end({ type }: Frame, turn: Turn): void {
    if (type !== "response.completed") this.#last.forget();
    if (type === "error") this.#drop();
    turn.end();
  }

  #drop(reason?: Error): undefined {
    this.#connection?.close(reason);
    this.#connection = undefined;
    this.#last.forget();
  }
}

/** A call that has a connection for itself until its answer has ended. */
class Turn {
  readonly #signal: AbortSignal;
  readonly #abandon: () => void;
  readonly #over: () => void;
  #isStreaming = false;
  #isOver = false;

  /** `abandon` ends the connection if the call is aborted; `over` is called once, at the end. */
  constructor(
    { deadline: { signal } }: SocketCall,
    { abandon, over }: {
      readonly abandon: (reason: Error) => void;
      readonly over: () => void;
    },
  ) {
    this.#signal = signal;
    this.#over = over;
    this.#abandon = () => {
      abandon(signal.reason);
      if (this.#isStreaming) this.end(); // before, what waits ends the turn itself
    };
    signal.addEventListener("abort", this.#abandon);
  }

  /** Ends the turn, unless the response is an answer's stream. Returns the response. */
  begun(response: Response | undefined): Response | undefined {
    this.#isStreaming = response?.status === 200 && !this.#signal.aborted;
    if (!this.#isStreaming) this.end();
    return response;
  }

  end(): void {
    if (this.#isOver) return; // the connection may carry another turn
    this.#isOver = true;
    this.#signal.removeEventListener("abort", this.#abandon);
    this.#over();
  }
}

interface Ask {
  readonly request: SocketRequest;
  readonly call: SocketCall;
  readonly connection: SocketConnection;
  /** True if the connection has carried an answer before. */
  readonly isReused: boolean;
}

function isByCaller(reason: unknown): boolean {
  return reason instanceof GatewayError && reason.code !== "upstream_timeout";
}

function silent(): GatewayError {
  return new GatewayError(
    "upstream_timeout",
    `The upstream timed out: no event within ${firstEventMs} ms on a kept WebSocket`,
  );
}
