/** A connection whose bytes are no longer HTTP's. */
export type RawConnection = Pick<Deno.Conn, "read" | "write" | "close">;

/** The runtime's own request behind a `Request`. Not a public API. */
interface InnerRequest {
  readonly external: unknown;
  readonly close: () => void;
  readonly constructor: new (external: unknown, context: InnerContext) => InnerUpgrade;
}

interface InnerContext {
  readonly listener: { readonly addr: Deno.NetAddr };
  readonly legacyAbort: boolean;
}

interface InnerUpgrade {
  readonly _wantsUpgrade: (type: "upgradeHttpRaw") => { readonly conn: Deno.Conn };
}

const anyAddress: Deno.NetAddr = { transport: "tcp", hostname: "", port: 0 };

/**
 * Takes the connection of a request from the runtime, which waits for the head of the response on
 * it. Its own request cannot do that without a listener, so this makes another one in its place
 * (Deno 2.8.2): the handler of the first must never answer. Undefined if this runtime differs.
 */
export function rawConnectionOf(request: Request): RawConnection | undefined {
  const inner = innerRequestOf(request);
  if (!inner || typeof inner.external !== "object" || inner.external === null) return undefined;
  const context = { listener: { addr: anyAddress }, legacyAbort: false };
  const own = new inner.constructor(inner.external, context);
  if (typeof own._wantsUpgrade !== "function") return undefined;
  inner.close();
  return own._wantsUpgrade("upgradeHttpRaw").conn;
}

function innerRequestOf(request: Request): InnerRequest | undefined {
  const symbol = Object.getOwnPropertySymbols(request)
    .find(({ description }) => description === "request");
  const parts = request as unknown as Record<symbol, InnerRequest | undefined>; // sound: it may be absent
  return symbol && parts[symbol];
}
