import { isJsonObject, type JsonObject } from "../canonical/mod.ts";
import type { ServerSentEvent } from "../formats/wire.ts";
import { Steering } from "../http/steering.ts";
import { SseReader } from "../http/stream/sse.ts";
import { memberText, type ReadText } from "../json/mod.ts";
import { errorFrame, eventErrorFrame, inLane, nextPlace, typeOf } from "./frames.ts";
import { failedFrame, type Steer } from "./steer.ts";

/** A `response.create` that was read: a call to be. */
export interface Create {
  /** The body, as of a POST. */
  readonly read: ReadText;
  /** True if its answer is empty, and only the next call continues it. */
  readonly preparesOnly: boolean;
  /** Input of the client at the front of its own, which it did not send itself. */
  readonly steers: readonly Steer[];
  /** True if no frame of the client requested it. */
  readonly isSuccessor?: true;
  /** Gives the memory of its body back, when neither it nor a successor needs it. */
  readonly release: () => void;
}

/** The way to the caller, at the caller's pace. */
export interface Outlet {
  send(text: string): void;
  /** Resolves once the caller has read most of what was sent. */
  room(): Promise<void>;
}

const terminals: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
]);

/** One response on a socket: an ordinary call whose events are sent as frames. */
export class SocketTurn {
  readonly create: Create;
  readonly lane: string;
  /** Ends the response early, for input that came since. */
  readonly steering = new Steering();
  readonly #outlet: Outlet;
  readonly #abort = new AbortController();
  #responseId?: string;
  #error?: ServerSentEvent;
  #end?: ServerSentEvent;
  #last = "";
  #status = 200;

  constructor(create: Create, lane: string, outlet: Outlet) {
    this.create = create;
    this.lane = lane;
    this.#outlet = outlet;
  }

  /** Aborts when the socket closes. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The id of the response; undefined until it begins. */
  get responseId(): string | undefined {
    return this.#responseId;
  }

  /** The number of the next event of its response. */
  get place(): number {
    return nextPlace(this.#last);
  }

  /** The status of the answer; of a refused call that of its error. */
  get status(): number {
    return this.#status;
  }

  /** The finished response; undefined if it failed or never began. */
  get response(): JsonObject | undefined {
    if (!this.#end || typeOf(this.#end) === "response.failed") return undefined;
    const { response } = JSON.parse(this.#end.data);
    return isJsonObject(response) ? response : undefined;
  }

  get hasFailed(): boolean {
    return !this.#end || typeOf(this.#end) === "response.failed";
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** Sends the answer of the call to its end, or to the socket's. */
  async run(answering: Promise<Response>): Promise<void> {
    const response = await answering;
    this.#status = response.status;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream && response.body) await this.#pump(response.body.getReader());
    else await this.#refused(response);
  }

  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    let left: Promise<void> | undefined;
    const leave = () => void (left = reader.cancel().catch(() => {})); // a broken one is settled
    this.signal.addEventListener("abort", leave);
    if (this.signal.aborted) leave();
    const sse = new SseReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      this.#passAll(sse, next.value);
      await this.#outlet.room();
    }
    await left; // settles the call
    if (!this.#end) this.#failed();
  }

  #passAll(sse: SseReader, chunk: Uint8Array): void {
    sse.feed(chunk);
    let isSilent = true;
    for (let event; (event = sse.nextEvent());) {
      isSilent = false;
      this.#pass(event);
    }
    if (isSilent) this.#outlet.send(inLane(keepAlive, this.lane));
  }

  #pass(event: ServerSentEvent): void {
    const type = typeOf(event);
    if (type === "error") return void (this.#error = event); // the next event says the same
    if (!event.data.startsWith("{")) return; // `[DONE]`
    if (type === "response.failed" && this.#responseId === undefined) return;
    if (type === "response.created") this.#responseId = idIn(event.data);
    if (terminals.has(type)) this.#end = event;
    this.#last = event.data;
    this.#outlet.send(inLane(event.data, this.lane));
  }

  /** Says why there is no end: a client waits for one event that says so. */
  #failed(): void {
    if (this.signal.aborted) return;
    const error = this.#error ? JSON.parse(this.#error.data) : brokenOff;
    this.#sendError(eventErrorFrame(error, this.lane));
  }

  async #refused(response: Response): Promise<void> {
    const { status, headers } = response;
    const wire = { status, headers: Object.fromEntries(headers), body: await response.json() };
    if (!this.signal.aborted) this.#sendError(errorFrame(wire, this.lane));
  }

  #sendError(frame: string): void {
    const begun = this.#responseId !== undefined;
    for (const steer of begun ? [] : this.create.steers) {
      const place = { lane: this.lane, sequence_number: 0 };
      this.#outlet.send(failedFrame(steer, "successor_creation_failed", place));
    }
    if (begun || !this.create.isSuccessor) this.#outlet.send(frame);
  }
}

/** Clients skip it: it only says that the socket is alive while the upstream is silent. */
const keepAlive = JSON.stringify({ type: "keepalive" });
const brokenOff = {
  error: {
    type: "api_error",
    code: "upstream_truncated",
    message: "The response broke off. Charged as far as it came",
  },
};

function idIn(created: string): string | undefined {
  const id = memberText(memberText(created, "response") ?? "{}", "id");
  return id === undefined ? undefined : String(JSON.parse(id));
}
