/** A request as an upstream saw it. */
export interface Seen {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** Resolves with the time at which the gateway disconnected. */
  readonly aborted: Promise<number>;
}

export interface FakeUpstream extends AsyncDisposable {
  readonly base: string;
  readonly seen: Seen[];
}

/** A real server on the loopback that answers as the test says. */
export function startUpstream(answer: (seen: Seen) => Response | Promise<Response>): FakeUpstream {
  const seen: Seen[] = [];
  const server = serveLoopback(async (request) => {
    const url = new URL(request.url);
    const { promise: aborted, resolve } = Promise.withResolvers<number>();
    request.signal.addEventListener("abort", () => resolve(performance.now()));
    const entry = {
      path: url.pathname + url.search,
      headers: request.headers,
      body: await request.text(),
      aborted,
    };
    seen.push(entry);
    return await answer(entry);
  });
  return { ...server, seen };
}

/** A server on a free port of the loopback, which aborts what is open when it is disposed of. */
export function serveLoopback(
  answer: Deno.ServeHandler,
): AsyncDisposable & { readonly base: string } {
  const abort = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: abort.signal, onListen: () => {} },
    answer,
  );
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: async () => {
      abort.abort();
      await server.finished;
    },
  };
}

/** A body that sends its pieces and then, unless it closes, stays open and silent. */
export function pieces(
  texts: readonly string[],
  options: { readonly closes?: boolean; readonly onCancel?: () => void } = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const waiting = [...texts];
  return new ReadableStream({
    pull: (controller) => {
      const next = waiting.shift();
      if (next !== undefined) controller.enqueue(encoder.encode(next));
      else if (options.closes !== false) controller.close();
      else return new Promise(() => {}); // never again
    },
    cancel: () => options.onCancel?.(),
  }, { highWaterMark: 0 });
}
