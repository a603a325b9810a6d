import { publicOnly } from "../address.ts";
import { createPlaces } from "../place.ts";
import { isConnectRefused, type ReachOptions } from "../reach.ts";
import { SkippedHosts } from "../skipped_hosts.ts";
import type { Outbound, Phases, Transport } from "../transport.ts";
import { Http2Only } from "./answer_fault.ts";
import { createHttp1 } from "./client.ts";

/**
 * HTTP/1.1 by our own client; `fetch` for upstreams that accept only HTTP/2, and for addresses that
 * the runtime refuses to connect to. In both cases nothing has been sent before.
 */
export function http1OrFetch(options: ReachOptions, byFetch: Transport): Transport {
  const http1 = createHttp1(options);
  const placeOf = createPlaces(options.addresses ?? publicOnly);
  const skipped = new SkippedHosts();
  const send = async (outbound: Outbound, phases: Phases) => {
    const { host } = placeOf(outbound);
    if (skipped.has(host)) return await byFetch(outbound, phases);
    try {
      return await http1(outbound, phases);
    } catch (error) {
      if (!(error instanceof Http2Only || isConnectRefused(error))) throw error;
      skipped.add(host);
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
