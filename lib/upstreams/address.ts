import { lookup as lookUp } from "node:dns/promises";
import { isIP } from "node:net";
import { type AddressKind, addressKind } from "./address_kind.ts";

/** Which addresses upstreams may have that were added in the console. Those of the configuration file are called as written. */
export interface AddressRule {
  /** All addresses are allowed. */
  readonly allowsPrivate: boolean;
  /** This machine's own are allowed. */
  readonly allowsLoopback: boolean;
}

/** The IP addresses of a name, at least one. Throws where it has none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** An upstream's address that may not be called. The message is for administrators: it names the address. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  /** The name is not known, or cannot be looked up now. */
  readonly isUnknown: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isUnknown?: boolean } = {}) {
    super(message, options);
    this.isUnknown = options.isUnknown ?? false;
  }
}

/** The rule of a server, by its configuration. */
export function addressRule(
  { allowPrivateUpstreams, servesOnlyThisMachine }: {
    readonly allowPrivateUpstreams: boolean;
    readonly servesOnlyThisMachine: boolean;
  },
): AddressRule {
  return { allowsPrivate: allowPrivateUpstreams, allowsLoopback: servesOnlyThisMachine };
}

/**
 * Refuses a base URL that an upstream of the console may not have: the name is looked up, and every
 * address that it has must be allowed. Throws `AddressError`. What passes here is checked again at
 * every call, since a name may come to mean another address.
 */
export async function assertUpstreamAddress(
  baseUrl: string,
  rule: AddressRule,
  lookup: Lookup = systemLookup,
): Promise<void> {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AddressError("Cannot use the address: it must begin with https:// or http://");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new AddressError(
      "Cannot use the address: leave off what stands before @ and from ? or # on, and enter the key apart",
    );
  }
  await allowedAddresses(url, rule, lookup);
}

/** The IP addresses that a URL may be called at; one that is written with an IP address has only that. */
export async function allowedAddresses(
  url: URL,
  rule: AddressRule,
  lookup: Lookup = systemLookup,
): Promise<readonly string[]> {
  const hostname = bareHostname(url);
  assertName(hostname, rule);
  const addresses = isIP(hostname) === 0 ? await found(hostname, lookup) : [hostname];
  for (const address of addresses) assertAllowed(address, hostname, rule);
  return addresses;
}

/** What is known of a URL without looking its name up. */
export function assertWrittenAddress(url: URL, rule: AddressRule): void {
  const hostname = bareHostname(url);
  assertName(hostname, rule);
  if (isIP(hostname) !== 0) assertAllowed(hostname, hostname, rule);
}

/** As the operating system knows names, its file of hosts included: that is what connections go by. */
export async function systemLookup(hostname: string): Promise<readonly string[]> {
  const entries = await lookUp(hostname, { all: true, verbatim: true });
  return entries.map(({ address }) => address);
}

/** Without the brackets of IPv6 and the dot that may end a name. */
function bareHostname({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
}

/** Names that mean an address of a kind wherever one is, looked up or not. */
const knownNames: readonly (readonly [RegExp, AddressKind])[] = [
  [/^(.*\.)?localhost(\.localdomain)?$/, "loopback"],
  [/^metadata(\.google\.internal|\.goog)?$/, "cloud metadata"],
  [/^instance-data(\.ec2\.internal)?$/, "cloud metadata"],
];

function assertName(hostname: string, rule: AddressRule): void {
  const kind = knownNames.find(([pattern]) => pattern.test(hostname))?.[1];
  if (kind !== undefined && !allows(rule, kind)) throw forbidden(hostname, kind);
}

function assertAllowed(address: string, hostname: string, rule: AddressRule): void {
  const kind = addressKind(address);
  if (kind === undefined || allows(rule, kind)) return;
  throw forbidden(address === hostname ? address : `${hostname} (${address})`, kind);
}

function allows({ allowsPrivate, allowsLoopback }: AddressRule, kind: AddressKind): boolean {
  return allowsPrivate || (allowsLoopback && kind === "loopback");
}

function forbidden(what: string, kind: AddressKind): AddressError {
  return new AddressError(
    `Cannot use ${what}: it is no public address (${kind}); declare the upstream in the configuration file, or set allowPrivateUpstreams there`,
  );
}

async function found(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  const addresses = await lookup(hostname).catch((cause) => {
    throw unknownName(hostname, cause);
  });
  if (addresses.length === 0) throw unknownName(hostname);
  return addresses;
}

function unknownName(hostname: string, cause?: unknown): AddressError {
  return new AddressError(`Cannot look up ${hostname}: check how it is spelled`, {
    cause,
    isUnknown: true,
  });
}
