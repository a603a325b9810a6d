import { BoundedMap, type Origin } from "../store/mod.ts";
import {
  AddressError,
  type AddressRule,
  allowedAddresses,
  assertWrittenAddress,
  type Lookup,
  publicOnly,
  systemLookup,
} from "./address.ts";
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

/** The URL to call, and the origin of its address: configuration or console. */
export interface Destination {
  readonly url: string;
  readonly origin: Origin;
}

/**
 * Ensures that a destination is allowed and reachable. `waiting` is called if this takes time, and
 * returns the signal that ends it. Throws `AddressError` or the connection's error.
 */
interface Reach {
  /** Returns the client for the call; undefined for the default one. */
  (destination: Destination, waiting: () => AbortSignal): Promise<Deno.HttpClient | undefined>;
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
  const places = new BoundedMap<string, Place>(hostsMax);
  const placeOf = ({ url, origin }: Destination) => {
    const isTrusted = origin === "config" || rule.allowsPrivate;
    return places.getOrInsert(`${isTrusted} ${url}`, () => placeAt(url, isTrusted));
  };
  const reach = async (destination: Destination, waiting: () => AbortSignal) => {
    const { target, isTrusted, key } = placeOf(destination);
    const known = hosts.get(key);
    if (known && known.freshUntil > now()) return known.pin?.client;
    const looking = { dialFirst, rule, lookup, signal: waiting(), pin: () => hosts.get(key)?.pin };
    const pin = await (isTrusted ? reachTrusted(target, looking) : reachChecked(target, looking));
    remember(hosts, key, { freshUntil: now() + freshMs, ...(pin && { pin }) });
    return pin?.client;
  };
  const doubt = (destination: Destination) => {
    const { key } = placeOf(destination);
    const known = hosts.get(key);
    if (known) hosts.set(key, { ...known, freshUntil: 0 });
  };
  return Object.assign(reach, { doubt });
}

/** The host of a destination, as it is checked and remembered. */
interface Place {
  readonly target: URL;
  readonly isTrusted: boolean;
  readonly key: string;
}

function placeAt(url: string, isTrusted: boolean): Place {
  const target = new URL(url);
  const key = `${isTrusted ? "" : "checked "}${target.protocol}//${target.host}`;
  return { target, isTrusted, key };
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
  const connection = await Deno.connect({ hostname, port: portOf(target), signal });
  connection.close();
}

function pinTo(address: string, target: URL): Pin {
  const proxy = { transport: "tcp", hostname: address, port: portOf(target) } as const;
  return { address, client: Deno.createHttpClient({ proxy }) };
}

/** The port of a URL, or its scheme's. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
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
