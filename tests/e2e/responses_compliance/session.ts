import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import { streamValidators } from "../../formats/validators/mod.ts";
import { errorFrameSchema, eventTypes, type ResponseObject, responseSchema } from "./schema.ts";

/** One turn of a WebSocket: its events, and the answer or the error that ended it. */
export interface Turn {
  readonly events: readonly JsonObject[];
  readonly response?: ResponseObject;
  /** The code of the error frame, or of the failed answer. */
  readonly errorCode?: string;
}

/** The frame of a turn, made from the turns before it. */
export type Step = JsonObject | ((before: readonly Turn[]) => JsonObject);

const turnMs = 30_000;

/** Deno's constructor, which takes headers; the types of the page's are in the way. */
const HeaderWebSocket = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Record<string, string> },
) => WebSocket;

/** Sends the frames over one WebSocket, each after the end of the turn before. Rejects if it closes. */
export async function session(
  { url, key }: { readonly url: string; readonly key: string },
  steps: readonly Step[],
): Promise<Turn[]> {
  const socket = new HeaderWebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  const frames = receive(socket);
  await frames.opened;
  const turns: Turn[] = [];
  try {
    for (const step of steps) {
      const frame = typeof step === "function" ? step(turns) : step;
      socket.send(JSON.stringify({ type: "response.create", model: "judged", ...frame }));
      turns.push(await turnOf(frames.next));
    }
    return turns;
  } finally {
    socket.close();
    await frames.closed;
  }
}

/** Returns true if the address accepts WebSockets. */
export async function acceptsWebSocket(
  { url, key }: { readonly url: string; readonly key: string },
): Promise<boolean> {
  const socket = new HeaderWebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  const frames = receive(socket);
  const accepted = await frames.opened.then(() => true, () => false);
  socket.close();
  await frames.closed;
  return accepted;
}

function receive(socket: WebSocket) {
  const waiting: string[] = [];
  let wake = () => {};
  let isClosed = false;
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = (event) => opened.reject(new Error((event as ErrorEvent).message));
  socket.onclose = () => {
    isClosed = true;
    closed.resolve();
    wake();
  };
  socket.onmessage = ({ data }) => {
    waiting.push(String(data));
    wake();
  };
  const next = async (): Promise<string> => {
    const timer = setTimeout(() => socket.close(), turnMs);
    while (waiting.length === 0) {
      if (isClosed) throw new Error("The WebSocket was closed within a turn");
      await new Promise<void>((resolve) => wake = resolve);
    }
    clearTimeout(timer);
    return waiting.shift() ?? "";
  };
  return { opened: opened.promise, closed: closed.promise, next };
}

/** Reads a turn to its end, and checks its events. */
async function turnOf(next: () => Promise<string>): Promise<Turn> {
  const validator = streamValidators.responses();
  const events: JsonObject[] = [];
  for (;;) {
    const data = await next();
    const event: JsonObject = JSON.parse(data);
    if (event.type === "error" && events.length === 0) {
      return { events, errorCode: errorFrameSchema.parse(event).error.code };
    }
    events.push(event);
    const type = String(event.type);
    if (!eventTypes.has(type)) throw new Error(`No event of the specification: ${type}`);
    validator.push({ event: type, data });
    if (isJsonObject(event.response)) responseSchema.parse(event.response);
    if (type === "error") return { events, errorCode: errorFrameSchema.parse(event).error.code };
    if (!/^response\.(completed|failed|incomplete)$/.test(type)) continue;
    const violations = validator.end();
    if (violations.length > 0) throw new Error(violations.join("; "));
    const response = responseSchema.parse(event.response);
    return { events, response, ...(response.error && { errorCode: response.error.code }) };
  }
}
