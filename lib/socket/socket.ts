import type { Buffer } from "node:buffer";
import type { GatewayError, JsonObject } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import { type GatewayDeps, generate } from "../gateway.ts";
import { readJsonBytes } from "../http/body/json_body.ts";
import { type Call, newCall, newRequestId } from "../http/call.ts";
import type { Upgraded } from "../http/connections.ts";
import { gatewayErrorOf } from "../http/errors.ts";
import { type NodeWebSocket, openState } from "../http/node_web_socket.ts";
import type { SocketPlace } from "../http/server.ts";
import { startTimer, type Timer } from "../http/timers.ts";
import { LaneMemory, type SocketMemory } from "../responses_state/mod.ts";
import { Serial } from "../serial.ts";
import { UpstreamSockets } from "../upstreams/mod.ts";
import {
  createOf,
  laneIn,
  namedLanesMax,
  overloaded,
  stopping,
  tooManyLanes,
  tooManyWaiting,
  tooOld,
  unknownType,
  waitingMax,
} from "./create.ts";
import { errorFrame, faultFrame, FrameFault, uncharged } from "./frames.ts";
import { type LaneHost, SocketLane } from "./lane.ts";
import { failedFrame } from "./steer.ts";
import type { SocketTurn } from "./turn.ts";

/** The parts that all sockets of an isolate share. */
export interface SocketDeps {
  readonly gateway: GatewayDeps;
  readonly memory: SocketMemory;
  /** Notes a call, as `Activity.noteRequest`. */
  readonly noteRequest: (completed: Promise<unknown>) => void;
}

/** A socket's own facts. */
interface SocketOrigin {
  /** The handshake as a call: its headers, address and format are those of each call. */
  readonly handshake: Call;
  readonly accountId: string;
  readonly place: SocketPlace;
}

const runningMax = 16;
/** Sent and not read: the upstream then waits. */
const bufferedMax = 256 * 1024;
/** A caller that still asks for answers then does not read any. */
const unreadMax = 32 * 1024 * 1024;
const lookEveryMs = 20;
/** A client that does not answer to a close keeps others waiting no longer. */
const closingMs = 200;
const pingEveryMs = 30_000;

/** One WebSocket: its lanes, and the calls on them. */
export class Socket implements Upgraded, LaneHost {
  /** Names the socket in the log. */
  readonly #id = `ws_${crypto.randomUUID().slice(-12)}`;
  readonly #wire: NodeWebSocket;
  readonly #deps: SocketDeps;
  readonly #origin: SocketOrigin;
  readonly #memory: LaneMemory;
  readonly upstreams = new UpstreamSockets();
  readonly #lanes = new Map<string, SocketLane>();
  readonly #reading = new Serial();
  readonly #ended = Promise.withResolvers<void>();
  readonly #running = new Set<Promise<void>>();
  readonly #awaitingRoom: (() => void)[] = [];
  readonly #lifetime: Timer;
  #ping?: Timer;
  #unread = 0;
  #isAlive = true;
  /** Set once no more calls may begin. */
  #closing: "old" | "stopping" | undefined;

  constructor(wire: NodeWebSocket, deps: SocketDeps, origin: SocketOrigin) {
    this.#wire = wire;
    this.#deps = deps;
    this.#origin = origin;
    this.#memory = new LaneMemory(deps.memory);
    this.#lifetime = startTimer(deps.gateway.limits.socketMs, () => this.#close("old"));
    wire.on("message", (data, isBinary) => this.#receive(data, isBinary));
    wire.on("pong", () => this.#isAlive = true);
    wire.on("error", () => {}); // `close` follows
    wire.on("close", () => void this.#left());
    this.#pingLater();
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  isIdle(): boolean {
    return this.#running.size === 0 && this.#unread === 0;
  }

  close(): void {
    this.#end(1001, "The gateway needs the connection");
    startTimer(closingMs, () => this.#wire.terminate());
  }

  shutdown(): void {
    this.#close("stopping");
  }

  send(text: string): void {
    if (this.#wire.readyState === openState) this.#wire.send(text);
  }

  async room(): Promise<void> {
    const until = performance.now() + this.#deps.gateway.limits.readTimeoutMs;
    while (this.#wire.readyState === openState && this.#wire.bufferedAmount > bufferedMax) {
      if (performance.now() > until) return this.#end(1013, "The frames are not read");
      await new Promise<void>((resolve) => startTimer(lookEveryMs, resolve));
    }
  }

  get state(): StateCodec | undefined {
    return this.#origin.handshake.codec.state;
  }

  async run(turn: SocketTurn): Promise<void> {
    while (this.#running.size >= runningMax && !turn.signal.aborted) {
      await new Promise<void>((resolve) => this.#awaitingRoom.push(resolve));
    }
    if (turn.signal.aborted) return;
    const refusal = this.#refusalWhileClosing();
    if (refusal) return this.send(this.#refusal(refusal, turn.lane));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#running.add(ended);
    try {
      if (!this.#origin.place.begin(ended)) throw overloaded();
      this.#deps.noteRequest(ended);
      await turn.run(this.#call(turn));
    } catch (thrown) {
      if (!turn.signal.aborted) this.send(this.#errorFrame(gatewayErrorOf(thrown), turn.lane));
    } finally {
      this.#running.delete(ended);
      end();
      this.#awaitingRoom.shift()?.();
    }
    this.#afterCall(turn);
  }

  /** The vendor forgets a response whose continuation in the same lane failed. */
  #afterCall({ hasFailed, status, lane, create }: SocketTurn): void {
    const { previous_response_id: previous } = create.read.body;
    if (hasFailed && typeof previous === "string") this.#memory.forget(lane, previous);
    if (status === 401) this.#end(1008, "The API key is not valid any more");
    if (this.#closing) this.#close(this.#closing);
  }

  /** Makes the ordinary call of a frame; the key is checked again. */
  #call({ create, lane, signal, steering }: SocketTurn): Promise<Response> {
    const { gateway } = this.#deps;
    const { handshake } = this.#origin;
    const { url, ip } = handshake;
    const { headers } = handshake.request;
    const request = new Request(url, { method: "POST", headers, signal });
    const arrival = { request, url, ip, nowMs: gateway.clock.now() };
    const call: Call = {
      ...newCall(arrival, handshake),
      read: create.read,
      socket: lane === "" ? this.#id : `${this.#id}/${lane}`,
      steering,
    };
    const memory = this.#memory.ofCall(lane, {
      preparesOnly: create.preparesOnly,
      isRunning: () => this.#lanes.get(lane)?.isBusy === true,
    });
    const state = { ...gateway.state, memory };
    const answer = () => generate(call, { ...gateway, state, upstreamSockets: this.upstreams });
    return gateway.spans?.run(call.id, answer) ?? answer();
  }

  /** One frame at a time: what follows waits in the connection. */
  #receive(data: Buffer, isBinary: boolean): void {
    this.#isAlive = true;
    if (this.#wire.readyState !== openState) return; // it was closed before this was read
    if (isBinary) return this.#end(1003, "Send frames of text");
    if (this.#wire.bufferedAmount > unreadMax) return this.#end(1013, "The frames are not read");
    this.#wire.pause();
    this.#unread++;
    const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.length); // sound: `ws` shares none
    void this.#reading.run(() => this.#take(bytes)).finally(() => {
      if (--this.#unread === 0) this.#wire.resume();
    });
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const { bodies, limits } = this.#deps.gateway;
    const place = bodies.place(this.#origin.accountId);
    let isKept = false;
    let lane = "";
    try {
      const waiting = place.grow(bytes.length);
      if (waiting) await waiting;
      const read = await readJsonBytes(bytes, limits);
      if (this.#wire.readyState !== openState) return;
      const { type } = read.body;
      if (type === "response.steer") return void (isKept = this.#steer(read.body, place.release));
      if (type === "response.processed") return; // of older clients; asks for nothing
      if (type !== "response.create") throw unknownType(type);
      lane = laneIn(read.body);
      this.#laneOf(lane).add(createOf(read, place.release));
      isKept = true;
    } catch (thrown) {
      this.send(this.#refusal(thrown, lane));
    } finally {
      if (!isKept) place.release();
    }
  }

  /** Calls that would outlive the socket or the gateway are refused. */
  #refusalWhileClosing(): FrameFault | GatewayError | undefined {
    return this.#closing === "old" ? tooOld() : this.#closing && stopping();
  }

  #refusal(thrown: unknown, lane: string): string {
    return thrown instanceof FrameFault
      ? faultFrame(thrown, lane)
      : this.#errorFrame(uncharged(gatewayErrorOf(thrown)), lane);
  }

  #laneOf(name: string): SocketLane {
    const refusal = this.#refusalWhileClosing();
    if (refusal) throw refusal;
    const waiting = this.#lanes.values().reduce((sum, lane) => sum + lane.waiting, 0);
    if (waiting >= waitingMax) throw tooManyWaiting();
    const known = this.#lanes.get(name);
    if (known) return known;
    const named = this.#lanes.size - (this.#lanes.has("") ? 1 : 0);
    if (name !== "" && named >= namedLanesMax) throw tooManyLanes();
    const lane = new SocketLane(name, this);
    this.#lanes.set(name, lane);
    return lane;
  }

  /** Returns true if it was accepted: its memory is then given back later. */
  #steer({ previous_response_id: previousId, input = null }: JsonObject, release: () => void) {
    if (typeof previousId !== "string") {
      throw new FrameFault(
        "invalid_request_error",
        "previous_response_id must be a text",
        "previous_response_id",
      );
    }
    const lane = this.#lanes.values().find(({ turn }) => turn?.responseId === previousId);
    const id = `steer_${crypto.randomUUID().replaceAll("-", "")}`;
    if (lane) return lane.steer({ id, previousId, input, release });
    const fault = this.#memory.holds(previousId)
      ? "response_already_completed"
      : "response_not_found";
    this.send(failedFrame({ previousId, input }, fault, { lane: "", sequence_number: 0 }));
    return false;
  }

  #errorFrame(error: GatewayError, lane: string): string {
    const id = newRequestId(this.#deps.gateway.clock.now());
    return errorFrame(this.#origin.handshake.codec.encodeError(error, id), lane);
  }

  /** Closes the socket once no call runs; until then none begins. */
  #close(reason: "old" | "stopping"): void {
    this.#closing = reason;
    if (this.#running.size > 0) return;
    if (reason === "stopping") return this.#end(1001, "The gateway is stopping");
    this.send(faultFrame(tooOld(), ""));
    this.#end(1000, "The socket has reached its age");
  }

  #end(code: number, reason: string): void {
    if (this.#wire.readyState === openState) this.#wire.close(code, reason);
    for (const lane of this.#lanes.values()) lane.close();
  }

  async #left(): Promise<void> {
    this.#lifetime.cancel();
    this.#ping?.cancel();
    for (const lane of this.#lanes.values()) lane.close();
    for (const resolve of this.#awaitingRoom.splice(0)) resolve();
    await Promise.all(this.#running);
    this.#memory.close();
    this.upstreams.close();
    this.#ended.resolve();
  }

  /** Ends a socket whose caller is gone without a word. */
  #pingLater(): void {
    this.#ping = startTimer(pingEveryMs, () => {
      if (!this.#isAlive) return this.#wire.terminate();
      this.#isAlive = false;
      this.#wire.ping();
      this.#pingLater();
    });
  }
}
