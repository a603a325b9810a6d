import { publicOnly, systemLookup } from "../address.ts";
import { createPlaces, type Place, portOf } from "../place.ts";
import type { ReachOptions } from "../reach.ts";
import type { Outbound, Phases, Transport, UpstreamAnswer } from "../transport.ts";
import { connect, type Connection } from "./connection.ts";
import { decoded } from "./content_encoding.ts";
import { HttpExchange } from "./exchange.ts";
import { Hosts, nameOf } from "./hosts.ts";
import { staleMsMax } from "./limits.ts";
import { Pool } from "./pool.ts";
import { requestPieces } from "./request.ts";

/**
 * Sends requests over pooled HTTP/1.1 connections of its own (RFC 9112). A host from the console is
 * connected to at an address that was checked, so that its name cannot be bound to another one
 * meanwhile. Rejects with `Http2Only` if the upstream speaks nothing else; never uses a proxy.
 */
export function createHttp1(options: Omit<ReachOptions, "dialFirst">): Transport {
  const { addresses: rule = publicOnly, lookup = systemLookup } = options;
  const placeOf = createPlaces(rule);
  const now = options.now ?? (() => performance.now());
  const pool = new Pool();
  const hosts = new Hosts({ rule, lookup, now, onChecked: (host, kept) => pool.drop(host, kept) });
  const client = new Http1Client(pool, hosts);
  const send = (outbound: Outbound, phases: Phases) =>
    client.send(outbound, placeOf(outbound), phases);
  return Object.assign(send, {
    doubt: (outbound: Outbound) => {
      const { host } = placeOf(outbound);
      hosts.forget(host);
      pool.drop(host);
    },
    close: () => pool.close(),
  });
}

class Http1Client {
  readonly #pool: Pool;
  readonly #hosts: Hosts;

  constructor(pool: Pool, hosts: Hosts) {
    this.#pool = pool;
    this.#hosts = hosts;
  }

  async send(outbound: Outbound, place: Place, phases: Phases): Promise<UpstreamAnswer> {
    const waiting = () => {
      phases.awaitConnection();
      return phases.signal;
    };
    const { host, target, isTrusted } = place;
    const checked = isTrusted ? undefined : await this.#hosts.addressesOf(host, target, waiting);
    const pieces = requestPieces(outbound);
    const idle = this.#pool.take(host);
    const startedAt = performance.now();
    try {
      if (idle) return decoded(await this.#begin(idle, place, pieces, phases));
    } catch (error) {
      // the peer had closed the connection, so the request is sent again
      const isStale = !idle?.isAnswered && performance.now() - startedAt < staleMsMax;
      if (phases.signal.aborted || !isStale) throw error;
    }
    const connection = await connect(targetOf(target, checked ?? nameOf(target)), waiting());
    return decoded(await this.#begin(connection, place, pieces, phases));
  }

  #begin(
    connection: Connection,
    { host, isTrusted }: Place,
    pieces: readonly Uint8Array[],
    phases: Phases,
  ): Promise<HttpExchange> {
    phases.awaitFirstByte();
    return HttpExchange.begin(connection, {
      pieces,
      signal: phases.signal,
      release: (released) => {
        const isAllowed = isTrusted || this.#hosts.allows(host, released.address);
        if (isAllowed) this.#pool.release(host, released);
        else released.close();
      },
    });
  }
}

function targetOf(target: URL, addresses: readonly string[]) {
  const [tlsName] = target.protocol === "https:" ? nameOf(target) : [];
  return { addresses, port: portOf(target), ...(tlsName !== undefined && { tlsName }) };
}
