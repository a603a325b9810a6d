import { BoundedMap } from "../bounded_map.ts";
import type { Origin } from "../store/mod.ts";
import {
  AddressError,
  type AddressRule,
  allowedAddresses,
  assertWrittenAddress,
  bareHostname,
  type Lookup,
  publicOnly,
  systemLookup,
} from "./address.ts";

export interface ReachOptions {
  /** False behind a proxy, which resolves names and connects itself. */
  readonly dialFirst: boolean;
  /** The rule for upstreams added in the console; absent: public addresses only. */
  readonly addresses?: AddressRule;
  /** Absent: the operating system's. */
  readonly lookup?: Lookup;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** The URL to call, and the origin of its address: configuration or console. */
export interface Destination {
  readonly url: string;
  readonly origin: Origin;
}

/** A checked host. */
export interface Host {
  readonly freshUntil: number;
  /** The checked address to call; absent if `fetch` may resolve the name. */
  readonly address: string | undefined;
  /** Until then it is called by HTTP/2, because it refused HTTP/1.1. */
  http2Until: number;
}

/**
 * Ensures that a destination is allowed and reachable. `waiting` is called if this takes time, and
 * returns the signal that ends it. Rejects with `AddressError` or the connection's error.
 */
export interface Reach {
  (destination: Destination, waiting: () => AbortSignal): Host | Promise<Host>;
  /** Forgets the last check after a call without an answer. */
  doubt(destination: Destination): void;
}

/** The lifetime of a host check, which found its addresses and reached one of them. */
const freshMs = 30_000;

/** The most remembered hosts and URLs, far more than there are upstreams. */
const hostsMax = 1_000;

/**
 * `fetch` cannot distinguish a hanging connection from a slow answer, and resolves names itself. So
 * a host without a recent check is dialled first, with the connect timeout. An untrusted host is
 * resolved first, refused if any of its addresses is forbidden, and called at the checked address.
 * With TLS no pinning is needed: the certificate proves that the server owns the name.
 */
export function createReach(options: ReachOptions): Reach {
  const { dialFirst, addresses: rule = publicOnly, lookup = systemLookup } = options;
  const now = options.now ?? performance.now.bind(performance);
  const hosts = new BoundedMap<string, Host>(hostsMax);
  const trusted = new BoundedMap<string, Place>(hostsMax);
  const checked = new BoundedMap<string, Place>(hostsMax);
  const placeOf = ({ url, origin }: Destination) => {
    const isTrusted = origin === "config" || rule.allowsPrivate;
    return (isTrusted ? trusted : checked).getOrInsert(url, () => placeAt(url, isTrusted));
  };
  const reach = (destination: Destination, waiting: () => AbortSignal) => {
    const place = placeOf(destination);
    const known = hosts.get(place.host);
    return known && known.freshUntil > now() ? known : check(place, waiting);
  };
  const check = async ({ target, isTrusted, host }: Place, waiting: () => AbortSignal) => {
    const looking = { dialFirst, rule, lookup, signal: waiting(), last: hosts.get(host)?.address };
    const address = await (isTrusted ? dialTrusted : addressOf)(target, looking);
    const { http2Until = 0 } = hosts.get(host) ?? {};
    const reached: Host = { freshUntil: now() + freshMs, address, http2Until };
    hosts.set(host, reached);
    return reached;
  };
  const doubt = (destination: Destination) => {
    const { host } = placeOf(destination);
    const known = hosts.get(host);
    if (known) hosts.set(host, { ...known, freshUntil: 0 });
  };
  return Object.assign(reach, { doubt });
}

interface Place {
  readonly target: URL;
  /** True if the address of the host needs no check. */
  readonly isTrusted: boolean;
  /** The key of what is known of the host: separate for trusted and for checked calls. */
  readonly host: string;
}

function placeAt(url: string, isTrusted: boolean): Place {
  const target = new URL(url);
  return { target, isTrusted, host: `${isTrusted ? "" : "checked "}${target.origin}` };
}

interface Looking {
  readonly dialFirst: boolean;
  readonly rule: AddressRule;
  readonly lookup: Lookup;
  readonly signal: AbortSignal;
  /** The address of the host's last check, which is tried first. */
  readonly last: string | undefined;
}

async function dialTrusted(target: URL, { dialFirst, signal }: Looking): Promise<undefined> {
  if (dialFirst) await dial(bareHostname(target), target, signal);
}

async function addressOf(target: URL, looking: Looking): Promise<string | undefined> {
  const { rule, lookup, signal, last } = looking;
  if (!looking.dialFirst) return await checkBehindProxy(target, looking);
  const addresses = await unlessAborted(signal, allowedAddresses(target, rule, lookup));
  const first = addresses.filter((address) => address === last);
  const address = await firstThatAnswers([...first, ...addresses], target, signal);
  return target.protocol === "https:" ? undefined : address;
}

/** Behind a proxy, which alone may know the name: checks the addresses that are known here. */
async function checkBehindProxy(
  target: URL,
  { rule, lookup, signal }: Looking,
): Promise<undefined> {
  assertWrittenAddress(target, rule);
  await unlessAborted(signal, allowedAddresses(target, rule, lookup)).catch((error) => {
    if (!(error instanceof AddressError && error.isUnknown)) throw error;
  });
}

/** The first address that accepts a connection; throws the last failure if none does. */
async function firstThatAnswers(
  addresses: readonly string[],
  target: URL,
  signal: AbortSignal,
): Promise<string> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      await dial(address, target, signal);
      return address;
    } catch (error) {
      if (signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function dial(hostname: string, target: URL, signal: AbortSignal): Promise<void> {
  if (typeof Deno.connect !== "function") return;
  try {
    const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
    const connection = await Deno.connect({ hostname, port, signal });
    connection.close();
  } catch (error) {
    if (!isConnectRefused(error)) throw error; // else `fetch` finds out by itself
  }
}

/** True if the runtime itself refused the connection, so that nothing was sent. */
function isConnectRefused(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.NotSupported;
}

/** Stops waiting on abort, for work that cannot be cancelled itself. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
