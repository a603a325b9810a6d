import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Returns the network of a caller's address. An IPv6 subscriber has a whole /64, so the last four
 * groups are dropped.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  if (ip.includes(".")) return ip.slice(ip.lastIndexOf(":") + 1); // an IPv4 address mapped to IPv6
  const [head = "", tail = ""] = ip.toLowerCase().split("::");
  const [before, after] = [groupsIn(head), groupsIn(tail)];
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill("0");
  return [...before, ...zeros, ...after].slice(0, 4).map(withoutZeros).join(":");
}

/** Returns true if many callers may share an address, as behind the operator's own proxy. */
export function mayBeProxy(ip: string | undefined): boolean {
  if (ip === undefined || isIP(ip) === 0) return true;
  const plain = ip.includes(".") ? ip.slice(ip.lastIndexOf(":") + 1) : ip;
  return privateAddresses.check(plain, familyOf(plain));
}

const privateBlocks = [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const;

const privateAddresses = new BlockList();
for (const [address, bits] of privateBlocks) {
  privateAddresses.addSubnet(address, bits, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

function groupsIn(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

function withoutZeros(group: string): string {
  return group.replace(/^0+(?=.)/, "");
}
