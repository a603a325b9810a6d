import { lookup as lookUp } from "node:dns/promises";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

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

/** The kinds of addresses outside the public internet. */
export type AddressKind =
  | "loopback"
  | "private"
  | "link-local"
  | "carrier NAT"
  | "multicast"
  | "unspecified"
  | "cloud metadata"
  | "reserved";

/**
 * Non-public address blocks, narrower before wider: IANA's special-purpose registries (2026-11) and
 * the metadata services of clouds.
 */
const blocks: readonly (readonly [string, number, AddressKind])[] = [
  ["169.254.169.254", 32, "cloud metadata"],
  ["100.100.100.200", 32, "cloud metadata"],
  ["168.63.129.16", 32, "cloud metadata"],
  ["192.0.0.192", 32, "cloud metadata"],
  ["fd00:ec2::254", 128, "cloud metadata"],
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "carrier NAT"],
  ["127.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.88.99.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "private"],
  ["ff00::", 8, "multicast"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "reserved"],
  ["3fff::", 20, "reserved"],
];

const lists = blocks.map(([address, bits, kind]) => ({ kind, list: listOf([[address, bits]]) }));
/** The allocated part of IPv6; the rest is reserved. */
const globalUnicast = listOf([["2000::", 3]]);

/**
 * The kind of an IP address; undefined for a public one. An IPv4 address embedded in IPv6 (mapped,
 * NAT64 or 6to4) is classified as IPv4. Text that is not an IP address is reserved.
 */
export function addressKind(text: string): AddressKind | undefined {
  const [ip = ""] = text.replace(/^\[|\]$/g, "").split("%");
  if (isIPv4(ip)) return kindIn(ip, "ipv4");
  if (!isIPv6(ip)) return "reserved";
  const inner = embeddedIpv4(groupsOf(ip));
  if (inner !== undefined) return kindIn(inner, "ipv4");
  return kindIn(ip, "ipv6") ?? (globalUnicast.check(ip, "ipv6") ? undefined : "reserved");
}

function kindIn(ip: string, family: "ipv4" | "ipv6"): AddressKind | undefined {
  return lists.find(({ list }) => list.check(ip, family))?.kind;
}

function listOf(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets) {
    list.addSubnet(address, bits, isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}

/** The positions of embedded IPv4 addresses by IPv6 prefix, in groups of 16 bits. */
const carriers = [
  { begins: [0, 0, 0, 0, 0, 0xffff], at: 6 }, // IPv4-mapped
  { begins: [0, 0, 0, 0, 0xffff, 0], at: 6 }, // IPv4-translated
  { begins: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 }, // NAT64
  { begins: [0x2002], at: 1 }, // 6to4
] as const;

function embeddedIpv4(groups: readonly number[]): string | undefined {
  const carrier = carriers.find(({ begins }) =>
    begins.every((group, index) => groups[index] === group)
  );
  if (!carrier) return undefined;
  const [high = 0, low = 0] = groups.slice(carrier.at);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of an IPv6 address, which may end in the dotted form. */
function groupsOf(ip: string): number[] {
  const hex = ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = "", tail] = hex.split("::");
  const [before, after] = [groupsIn(head), groupsIn(tail ?? "")];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...new Array<number>(zeros).fill(0), ...after];
}

function groupsIn(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
