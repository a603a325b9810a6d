import {
  AddressError,
  type AddressRule,
  allowedAddresses,
  assertWrittenAddress,
  type Lookup,
  publicOnly,
  systemLookup,
} from "./address.ts";
import { createPlaces, type Destination, type Place, portOf } from "./place.ts";
import { unlessAborted } from "./unless_aborted.ts";

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

/** The client for a call; undefined for the default one. */
type ReachedBy = Deno.HttpClient | undefined;

/**
 * Ensures that a destination is allowed and reachable. `waiting` is called if this takes time, and
 * returns the signal that ends it. Rejects with `AddressError` or the connection's error.
 */
interface Reach {
  (destination: Destination, waiting: () => AbortSignal): ReachedBy | Promise<ReachedBy>;
  /** Forgets the last check after a call without an answer. */
  doubt(destination: Destination): void;
}

/** The lifetime of a host check, which found its addresses and reached one of them. */
const freshMs = 30_000;

/** The most remembered hosts, far more than there are upstreams. */
const hostsMax = 1_000;

interface Host {
  readonly freshUntil: number;
  readonly pin?: Pin;
}

/** A client pinned to one address, even if the name later resolves to another. */
interface Pin {
  readonly address: string;
  readonly client: Deno.HttpClient;
}

/**
 * `fetch` cannot distinguish a hanging connection from a slow answer, and resolves names itself. So
 * a host without a recent check is dialled first, with the connect timeout. An untrusted host is
 * resolved first, refused if any of its addresses is forbidden, and called at the checked address.
 * With TLS no pinning is needed: the certificate proves that the server owns the name.
 */
export function createReach(options: ReachOptions): Reach {
  const { dialFirst, addresses: rule = publicOnly, lookup = systemLookup } = options;
  const now = options.now ?? (() => performance.now());
  const hosts = new Map<string, Host>();
  const placeOf = createPlaces(rule);
  const reach = (destination: Destination, waiting: () => AbortSignal) => {
    const place = placeOf(destination);
    const known = hosts.get(place.host);
    return known && known.freshUntil > now() ? known.pin?.client : check(place, waiting);
  };
  const check = async ({ target, isTrusted, host }: Place, waiting: () => AbortSignal) => {
    const looking = { dialFirst, rule, lookup, signal: waiting(), pin: () => hosts.get(host)?.pin };
    const pin = await (isTrusted ? reachTrusted(target, looking) : reachChecked(target, looking));
    remember(hosts, host, { freshUntil: now() + freshMs, ...(pin && { pin }) });
    return pin?.client;
  };
  const doubt = (destination: Destination) => {
    const { host } = placeOf(destination);
    const known = hosts.get(host);
    if (known) hosts.set(host, { ...known, freshUntil: 0 });
  };
  return Object.assign(reach, { doubt });
}

interface Looking {
  readonly dialFirst: boolean;
  readonly rule: AddressRule;
  readonly lookup: Lookup;
  readonly signal: AbortSignal;
  /** Returns the host's current pin, which a concurrent call may have created. */
  readonly pin: () => Pin | undefined;
}

async function reachTrusted(target: URL, { dialFirst, signal }: Looking): Promise<undefined> {
  if (dialFirst) await dial(target.hostname.replace(/^\[|\]$/g, ""), target, signal);
}

async function reachChecked(target: URL, looking: Looking): Promise<Pin | undefined> {
  const { rule, lookup, signal, pin } = looking;
  if (!looking.dialFirst) return await reachByProxy(target, looking);
  const addresses = await unlessAborted(signal, allowedAddresses(target, rule, lookup));
  const pinned = addresses.filter((address) => address === pin()?.address);
  const address = await firstThatAnswers([...pinned, ...addresses], target, signal);
  if (target.protocol === "https:") return undefined;
  const known = pin();
  return address === known?.address ? known : pinTo(address, target);
}

/** Behind a proxy, which alone may know the name: checks the addresses that are known here. */
async function reachByProxy(
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
  if (!hasConnect()) return;
  try {
    const connection = await Deno.connect({ hostname, port: portOf(target), signal });
    connection.close();
  } catch (error) {
    if (!isConnectRefused(error)) throw error; // else `fetch` finds out by itself
  }
}

/** True if the runtime can open connections without `fetch`. */
export function hasConnect(): boolean {
  return typeof Deno.connect === "function" && typeof Deno.startTls === "function";
}

/** True if the runtime itself refused the connection, so that nothing was sent. */
export function isConnectRefused(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.NotSupported;
}

function pinTo(address: string, target: URL): Pin {
  const proxy = { transport: "tcp", hostname: address, port: portOf(target) } as const;
  return { address, client: Deno.createHttpClient({ proxy }) };
}

function remember(hosts: Map<string, Host>, key: string, host: Host): void {
  const old = hosts.get(key);
  if (old?.pin !== host.pin) retire(old?.pin);
  hosts.delete(key);
  hosts.set(key, host);
  const [oldest] = hosts.size > hostsMax ? hosts : [];
  if (!oldest) return;
  retire(oldest[1].pin);
  hosts.delete(oldest[0]);
}

/** Closes a pinned client after a tick, so that calls that have just received it can start. */
function retire(pin: Pin | undefined): void {
  if (pin) setTimeout(() => pin.client.close(), 0);
}
