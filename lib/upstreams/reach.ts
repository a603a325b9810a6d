import {
  AddressError,
  type AddressRule,
  allowedAddresses,
  assertWrittenAddress,
  type Lookup,
  systemLookup,
} from "./address.ts";
import type { Origin } from "../store/mod.ts";

export interface ReachOptions {
  /** Off behind a proxy, which alone looks names up and connects. */
  readonly dialFirst: boolean;
  /** Where upstreams may be that were added in the console; nowhere but on the public internet where absent. */
  readonly addresses?: AddressRule;
  /** The operating system's where absent. */
  readonly lookup?: Lookup;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

/** What is called, and who said its address. */
export interface Destination {
  readonly url: string;
  readonly origin: Origin;
}

/**
 * Makes sure that a destination may be called and can be reached. `waiting` is called where that
 * takes time, and gives the signal that ends it. Throws `AddressError`, or what connecting throws.
 */
interface Reach {
  /** The client that calls it; undefined for the usual one. */
  (destination: Destination, waiting: () => AbortSignal): Promise<Deno.HttpClient | undefined>;
  /** A call to it got no answer: whoever is next looks first. */
  doubt(destination: Destination): void;
}

const publicOnly: AddressRule = { allowsPrivate: false, allowsLoopback: false };

/** How long a look at a host holds: that it answers, and what its name means. */
const freshMs = 30_000;

/** The hosts that are remembered at most; upstreams are far fewer. */
const hostsMax = 1_000;

interface Host {
  readonly freshUntil: number;
  readonly pin?: Pin;
}

/** A client that connects to one address only, whatever the name comes to mean. */
interface Pin {
  readonly address: string;
  readonly client: Deno.HttpClient;
}

/**
 * `fetch` cannot tell a connection that hangs from an answer that is slow, and looks names up by
 * itself. So a host that has not been looked at lately is dialled first, under the caller's own
 * time-out, and one whose address is not trusted is looked up before, refused where any of its
 * addresses is forbidden, and called at the address that was checked. Over TLS there is nothing to
 * hold on to: there the certificate proves that who answers owns the name.
 */
export function createReach(options: ReachOptions): Reach {
  const { dialFirst, addresses: rule = publicOnly, lookup = systemLookup } = options;
  const now = options.now ?? (() => performance.now());
  const hosts = new Map<string, Host>();
  const placeOf = ({ url, origin }: Destination) => {
    const target = new URL(url);
    const isTrusted = origin === "config" || rule.allowsPrivate;
    const key = `${isTrusted ? "" : "checked "}${target.protocol}//${target.host}`;
    return { target, isTrusted, key };
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

interface Looking {
  readonly dialFirst: boolean;
  readonly rule: AddressRule;
  readonly lookup: Lookup;
  readonly signal: AbortSignal;
  /** The host's at the moment of asking: another call may have made it meanwhile. */
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

/** Behind a proxy a name may be known to that alone; whatever is known of it here must be allowed. */
async function reachByProxy(
  target: URL,
  { rule, lookup, signal }: Looking,
): Promise<undefined> {
  assertWrittenAddress(target, rule);
  await unlessAborted(signal, allowedAddresses(target, rule, lookup)).catch((error) => {
    if (!(error instanceof AddressError && error.isUnknown)) throw error;
  });
}

/** The first address that takes a connection; the failure of the last one where none does. */
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

function portOf({ port, protocol }: URL): number {
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

/** Calls in flight end as if nothing had happened; those that just got the client begin before it closes. */
function retire(pin: Pin | undefined): void {
  if (pin) setTimeout(() => pin.client.close(), 0);
}

/** A look-up cannot be called off; nobody waits for it any longer. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
