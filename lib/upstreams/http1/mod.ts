import { BoundedMap } from "../../bounded_map.ts";
import { publicOnly } from "../address.ts";
import { createPlaces } from "../place.ts";
import { isConnectRefused, type ReachOptions } from "../reach.ts";
import type { Outbound, Phases, Transport } from "../transport.ts";
import { Http2Only } from "./answer_fault.ts";
import { createHttp1 } from "./client.ts";

/** The time for which a host that our client cannot call is called by `fetch`. */
const fetchMs = 10 * 60_000;
/** The most remembered hosts. */
const hostsMax = 1_000;

/**
 * HTTP/1.1 by our own client; `fetch` for upstreams that accept only HTTP/2, and for addresses that
 * the runtime refuses to connect to. In both cases nothing has been sent before.
 */
export function http1OrFetch(options: ReachOptions, byFetch: Transport): Transport {
  const http1 = createHttp1(options);
  const placeOf = createPlaces(options.addresses ?? publicOnly);
  const fetchUntil = new BoundedMap<string, number>(hostsMax);
  const needsFetch = (outbound: Outbound) =>
    fetchUntil.size > 0 && (fetchUntil.get(placeOf(outbound).host) ?? 0) > performance.now();
  const send = async (outbound: Outbound, phases: Phases) => {
    if (needsFetch(outbound)) return await byFetch(outbound, phases);
    try {
      return await http1(outbound, phases);
    } catch (error) {
      if (!(error instanceof Http2Only || isConnectRefused(error))) throw error;
      fetchUntil.set(placeOf(outbound).host, performance.now() + fetchMs);
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
