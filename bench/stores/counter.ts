interface Counter extends AsyncDisposable {
  readonly url: string;
  readonly requests: number;
}

/** Counts the requests that it passes on to a KV Connect server. */
export function startCounter(target: string): Counter {
  let requests = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    requests++;
    const { pathname } = new URL(request.url);
    const { method, headers, body, signal } = request;
    return fetch(target + pathname, { method, headers, body, signal });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
