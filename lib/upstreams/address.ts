import { lookup as lookUp } from "node:dns/promises";
import { isIP } from "node:net";
import { type AddressKind, addressKind } from "./address_kind.ts";

/** The allowed addresses of upstreams added in the console; configured ones are not checked. */
export interface AddressRule {
  /** True to allow every address. */
  readonly allowsPrivate: boolean;
  /** True to allow this machine's own addresses. */
  readonly allowsLoopback: boolean;
}

/** The rule where no other is set. */
export const publicOnly: AddressRule = { allowsPrivate: false, allowsLoopback: false };

/** Resolves a name to at least one IP address. Throws if it has none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** A forbidden upstream address. The message names it, so it is for administrators only. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  /** True if the name is unknown or cannot be resolved now. */
  readonly isUnknown: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isUnknown?: boolean } = {}) {
    super(message, options);
    this.isUnknown = options.isUnknown ?? false;
  }
}

/** Derives a server's address rule from its configuration. */
export function addressRule(
  { allowPrivateUpstreams, servesOnlyThisMachine }: {
    readonly allowPrivateUpstreams: boolean;
    readonly servesOnlyThisMachine: boolean;
  },
): AddressRule {
  return { allowsPrivate: allowPrivateUpstreams, allowsLoopback: servesOnlyThisMachine };
}

/**
 * Checks the base URL of an upstream added in the console: resolves its name and requires every
 * address to be allowed. Throws `AddressError`. Each call repeats the check, because a name may
 * later resolve to another address.
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
      "Cannot use the address: remove the user name, the password and everything from ? or # on, and enter the key in its own field",
    );
  }
  await allowedAddresses(url, rule, lookup);
}

/** The allowed IP addresses of a URL's host, which may itself be an IP address. */
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

/** Checks a URL's host without resolving its name. */
export function assertWrittenAddress(url: URL, rule: AddressRule): void {
  const hostname = bareHostname(url);
  assertName(hostname, rule);
  if (isIP(hostname) !== 0) assertAllowed(hostname, hostname, rule);
}

/** Resolves like the operating system, hosts file included, as connections do. */
export async function systemLookup(hostname: string): Promise<readonly string[]> {
  const entries = await lookUp(hostname, { all: true, verbatim: true });
  return entries.map(({ address }) => address);
}

/** The host name without IPv6 brackets and trailing dot. */
export function bareHostname({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
}

/** Names whose kind of address is known without resolving them. */
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
    `Cannot use ${what}: it is not a public address (${kind}). Declare the upstream in the configuration file, or set allowPrivateUpstreams there`,
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
  return new AddressError(`Cannot resolve ${hostname}: check its spelling`, {
    cause,
    isUnknown: true,
  });
}
