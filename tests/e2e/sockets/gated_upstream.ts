import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../fake_upstream.ts";

/** A request whose answer has started. */
export interface GatedCall {
  readonly body: JsonObject;
  readonly seen: Seen;
  /** Sends a piece of text. */
  say(text: string): void;
  /** Begins an item other than a message. */
  begin(item: JsonObject): void;
  /** Sends an event of the open item. */
  grow(type: string, more: JsonObject): void;
  /** Ends the open item. */
  done(item: JsonObject): void;
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
  const output: JsonObject[] = [];
  const responseOf = (status: string, more: JsonObject = {}) => ({
    response: { id, object: "response", created_at: 1, status, model: "m", output: [], ...more },
  });
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  const head = { id: `msg_${id}`, type: "message", role: "assistant" };
  const textPart = (text: string) => ({ type: "output_text", text, annotations: [] });
  const at = () => ({ item_id: `msg_${id}`, output_index: output.length, content_index: 0 });
  const begin = (item: JsonObject) =>
    send("response.output_item.added", { output_index: output.length, item });
  const done = (item: JsonObject) => {
    send("response.output_item.done", { output_index: output.length, item });
    output.push(item);
  };
  const endText = () => {
    if (said.length === 0) return;
    const part = textPart(said.join(""));
    send("response.output_text.done", { ...at(), text: part.text });
    send("response.content_part.done", { ...at(), part });
    done({ ...head, status: "completed", content: [part] });
  };
  send("response.created", responseOf("in_progress"));
  const call: GatedCall = {
    body: JSON.parse(seen.body),
    seen,
    begin,
    grow: (type, more) => send(type, { output_index: output.length, ...more }),
    done,
    say: (delta) => {
      if (said.length === 0) {
        begin({ ...head, status: "in_progress", content: [] });
        send("response.content_part.added", { ...at(), part: textPart("") });
      }
      said.push(delta);
      send("response.output_text.delta", { ...at(), delta });
    },
    end: (calls = []) => {
      endText();
      for (const item of calls) {
        begin(item);
        done(item);
      }
      send("response.completed", responseOf("completed", { output, usage }));
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
