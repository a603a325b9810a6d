const { connect } = Deno;
const { fetch } = globalThis;

/** Refuses the connections of this process to other machines until it is disposed of. */
export function loopbackOnly(): Disposable {
  Object.assign(Deno, {
    connect: (options: Deno.ConnectOptions) =>
      isLoopback(options.hostname ?? "127.0.0.1") ? connect(options) : refused(),
  });
  globalThis.fetch = (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    return isLoopback(hostname) ? fetch(input, init) : refused();
  };
  return {
    [Symbol.dispose]: () => {
      Object.assign(Deno, { connect });
      globalThis.fetch = fetch;
    },
  };
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(hostname);
}

function refused(): Promise<never> {
  return Promise.reject(new Deno.errors.ConnectionRefused("Tests connect to this machine only"));
}
