import type { ReachOptions } from "../reach.ts";
import type { Outbound, Phases, Transport } from "../transport.ts";
import { Http2Only } from "./answer_fault.ts";
import { createHttp1 } from "./client.ts";

/** The time for which an upstream that refused HTTP/1.1 is called by `fetch`. */
const http2Ms = 10 * 60_000;
/** The most remembered origins. */
const originsMax = 1_000;

/** HTTP/1.1 by our own client, and `fetch` for upstreams that accept only HTTP/2. */
export function http1OrFetch(options: ReachOptions, byFetch: Transport): Transport {
  const http1 = createHttp1(options);
  const http2Until = new Map<string, number>();
  const send = async (outbound: Outbound, phases: Phases) => {
    const needsHttp2 = http2Until.size > 0 &&
      (http2Until.get(originOf(outbound)) ?? 0) > performance.now();
    if (needsHttp2) return await byFetch(outbound, phases);
    try {
      return await http1(outbound, phases);
    } catch (error) {
      if (!(error instanceof Http2Only)) throw error;
      if (http2Until.size >= originsMax) http2Until.clear();
      http2Until.set(originOf(outbound), performance.now() + http2Ms);
      return await byFetch(outbound, phases);
    }
  };
  return Object.assign(send, {
    doubt: (outbound: Outbound) => {
      http1.doubt(outbound);
      byFetch.doubt(outbound);
    },
    close: () => {
      http1.close();
      byFetch.close();
    },
  });
}

function originOf({ url }: Outbound): string {
  return new URL(url).origin;
}
