import type { Outbound } from "./transport.ts";

interface Kept<T> {
  readonly url: string;
  readonly method: Outbound["method"];
  readonly hasBody: boolean;
  readonly made: T;
}

/**
 * Keeps what a client makes of a request without its body. Nearly all calls to a candidate share
 * their URL, their method and the object of their headers.
 */
export function keptByHead<T>(make: (outbound: Outbound) => T): (outbound: Outbound) => T {
  const kept = new WeakMap<Outbound["headers"], Kept<T>>();
  return (outbound) => {
    const { url, method, headers } = outbound;
    const hasBody = outbound.body !== undefined;
    const known = kept.get(headers);
    const isSame = known?.url === url && known.method === method && known.hasBody === hasBody;
    if (isSame) return known.made;
    const made = make(outbound);
    kept.set(headers, { url, method, hasBody, made });
    return made;
  };
}
