import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../fake_upstream.ts";

/** A request whose answer has started. */
export interface GatedCall {
  readonly body: JsonObject;
  readonly seen: Seen;
  /** Sends a piece of text. */
  say(text: string): void;
  /** Ends the answer, with calls of tools if any. */
  end(calls?: readonly JsonObject[]): void;
  /** Ends the answer with a failure. */
  fail(): void;
}

export interface GatedUpstream extends FakeUpstream {
  /** The next request that arrives, or that arrived and was not taken yet. */
  next(): Promise<GatedCall>;
}

/** An upstream of the responses format whose answers the test ends itself. */
export function startGated(): GatedUpstream {
  const arrived: GatedCall[] = [];
  const waiting: ((call: GatedCall) => void)[] = [];
  let count = 0;
  const upstream = startUpstream((seen) => {
    const { call, response } = begun(seen, `resp_${++count}`);
    const taken = waiting.shift();
    if (taken) taken(call);
    else arrived.push(call);
    return response;
  });
  return {
    ...upstream,
    next: () => {
      const call = arrived.shift();
      return call ? Promise.resolve(call) : new Promise((resolve) => waiting.push(resolve));
    },
  };
}

function begun(seen: Seen, id: string): { readonly call: GatedCall; readonly response: Response } {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: () => {},
  });
  let place = 0;
  const send = (type: string, more: JsonObject) => {
    const data = JSON.stringify({ type, sequence_number: place++, ...more });
    controller.enqueue(encoder.encode(sseText({ event: type, data })));
  };
  const said: string[] = [];
  const responseOf = (status: string, more: JsonObject = {}) => ({
    response: { id, object: "response", created_at: 1, status, model: "m", output: [], ...more },
  });
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  const message = () => ({
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: said.join(""), annotations: [] }],
  });
  send("response.created", responseOf("in_progress"));
  const call: GatedCall = {
    body: JSON.parse(seen.body),
    seen,
    say: (delta) => {
      said.push(delta);
      const at = { item_id: `msg_${id}`, output_index: 0, content_index: 0 };
      send("response.output_text.delta", { ...at, delta });
    },
    end: (calls = []) => {
      send("response.completed", responseOf("completed", { output: [message(), ...calls], usage }));
      controller.close();
    },
    fail: () => {
      const error = { code: "server_error", message: "broken" };
      send("response.failed", responseOf("failed", { error }));
      controller.close();
    },
  };
  return {
    call,
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
  };
}
