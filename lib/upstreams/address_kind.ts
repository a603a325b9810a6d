import { BlockList, isIPv4, isIPv6 } from "node:net";

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
