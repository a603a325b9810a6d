import { useEffect, useRef, useState } from "preact/hooks";
import {
  type AssistantReply,
  dialects,
  endedReply,
  extendedReply,
  failedReply,
  type FieldValues,
  type Lane,
  laneBefore,
  newReply,
  parsedJson,
  problemOf,
  promptTurns,
  readAnswerStream,
  type Receipt,
  type SentRequest,
  type ToolResult,
  type UserMessage,
  withReply,
  withTurn,
} from "../../lib/playground/mod.ts";

/** The calls of a conversation to the server. */
export interface Wires {
  /** Sends a request as the account, in one of its groups. */
  ask(request: SentRequest, groupId: string, signal: AbortSignal): Promise<Response>;
  /** Undefined if the log has no such call. */
  readReceipt(requestId: string): Promise<Receipt | undefined>;
}

/** The state of parallel conversations, and the actions on them. */
export function useConversation(initial: readonly Lane[], wires: Wires) {
  const [lanes, setLanes] = useState(initial);
  const [announced, announce] = useState<AssistantReply | undefined>();
  const running = useRef(new Map<number, AbortController>());
  const lastId = useRef(Math.max(0, ...initial.flatMap(({ turns }) => turns.map(({ id }) => id))));
  const newId = () => ++lastId.current;

  /** Requests an answer to the last turn of a lane, and shows it while it streams. */
  const answer = async (lane: Lane, at: number, values: FieldValues) => {
    let reply = newReply(lane, { id: newId(), request: requestOf(lane, values) });
    const show = (changed: AssistantReply) => {
      reply = changed;
      setLanes((all) => all.map((one, place) => place === at ? withReply(one, reply) : one));
    };
    const controller = new AbortController();
    announce(undefined); // clears the live region, so that the same words are announced again
    running.current.get(at)?.abort();
    running.current.set(at, controller);
    setLanes((all) => all.with(at, withTurn(lane, reply)));
    await hearReply(reply, lane, { wires, signal: controller.signal, show });
    if (running.current.get(at) === controller) running.current.delete(at);
    announce(reply);
    const receipt = reply.requestId && await wires.readReceipt(reply.requestId);
    if (receipt) show({ ...reply, receipt });
  };
  const stop = () => running.current.forEach((controller) => controller.abort());
  useEffect(() => stop, []);

  return {
    lanes,
    setLanes,
    /** The answer that ended last, for the announcement to screen readers. */
    announced,
    running: lanes.some(({ turns }) => isRunning(turns.at(-1))),
    stop,
    say: (said: Omit<UserMessage, "id" | "role">, values: FieldValues) => {
      const turn: UserMessage = { role: "user", id: newId(), ...said };
      lanes.forEach((lane, at) => void answer(withTurn(lane, turn), at, values));
    },
    /** Replaces a message, and drops all turns after it. */
    sayAgain: (id: number, text: string, values: FieldValues) => {
      const old = lanes.flatMap(({ turns }) => turns).find((turn) => turn.id === id);
      const attachments = old?.role === "user" ? old.attachments : [];
      const turn: UserMessage = { role: "user", id: newId(), text, attachments };
      lanes.forEach((lane, at) => void answer(withTurn(laneBefore(lane, id), turn), at, values));
    },
    answerAgain: (at: number, id: number, values: FieldValues) =>
      void answer(laneBefore(lanes[at], id), at, values),
    giveResults: (at: number, results: readonly ToolResult[], values: FieldValues) =>
      void answer(withTurn(lanes[at], { role: "tool", id: newId(), results }), at, values),
    clear: () => {
      stop();
      setLanes(lanes.map((lane) => ({ ...lane, turns: [] })));
    },
  };
}

export type ConversationState = ReturnType<typeof useConversation>;

/** The request that a lane would send now. */
export function requestOf({ choice, turns }: Lane, values: FieldValues): SentRequest {
  const { model, format } = choice;
  return dialects[format].request({ model, turns: promptTurns(turns, format), ...values });
}

function isRunning(turn: Lane["turns"][number] | undefined): boolean {
  return turn?.role === "assistant" && turn.state === "running";
}

interface ReplyOptions {
  readonly wires: Wires;
  readonly signal: AbortSignal;
  readonly show: (reply: AssistantReply) => void;
}

/** Shows a reply while it streams, until it ends, fails or is stopped. */
async function hearReply(
  begun: AssistantReply,
  { choice: { groupId, format } }: Lane,
  { wires, signal, show }: ReplyOptions,
): Promise<void> {
  let reply = begun;
  const startedAt = performance.now();
  const drawn = paced(show);
  const put = (changed: AssistantReply) => drawn.put(reply = changed);
  try {
    const response = await wires.ask(reply.request, groupId, signal);
    const requestId = response.headers.get("x-request-id") ?? undefined;
    put({ ...reply, ...(requestId && { requestId }) });
    if (!response.ok) return put(await refused(reply, response));
    for await (const read of readAnswerStream(response, dialects[format])) {
      put(extendedReply(reply, read, performance.now() - startedAt));
    }
    put(endedReply(reply));
  } catch {
    put(
      signal.aborted
        ? { ...reply, state: "stopped" }
        : failedReply(reply, { code: "", message: "" }),
    );
  } finally {
    drawn.flush();
  }
}

async function refused(reply: AssistantReply, response: Response): Promise<AssistantReply> {
  const raw = await response.text();
  const { status, headers } = response;
  const problem = problemOf(parsedJson(raw), { status, retryAfter: headers.get("retry-after") });
  return failedReply({ ...reply, raw }, problem);
}

/** The time between two drawings of a stream. */
const pauseMs = 50;

/** Shows the last of several values at a time, so that a fast stream is not drawn piece by piece. */
function paced<Value>(show: (value: Value) => void) {
  let last: { readonly value: Value } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (last) show(last.value);
    last = undefined;
  };
  return {
    put(value: Value): void {
      last = { value };
      timer ??= setTimeout(flush, pauseMs);
    },
    /** Shows the last value now. */
    flush,
  };
}
