import { BlockList, isIP, isIPv6 } from "node:net";

/** Proxies whose forwarded headers are trusted. */
type TrustedProxies = Pick<BlockList, "check">;

/** The facts about a request that trusted proxies report; unreported ones are absent. */
interface Forwarded {
  /** The nearest address that is not a trusted proxy's. */
  readonly ip: string;
  readonly scheme?: "http" | "https";
  /** Including the port, if stated. */
  readonly host?: string;
}

/** Parses addresses and blocks of them, such as `10.0.0.0/8`. */
export function trustedProxies(blocks: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const block of blocks) {
    const [address, bits = isIPv6(address) ? "128" : "32"] = block.split("/");
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/** True for the address of a connection from a trusted proxy. */
export function isTrustedProxy(peer: string, trusted: TrustedProxies): boolean {
  const address = addressIn(peer);
  return address !== undefined && isTrusted(address, trusted);
}

/**
 * The client behind trusted proxies. Reads the headers from the right, because each proxy appends
 * its peer: entries left of the first untrusted address may be forged. `x-forwarded-*` (de facto)
 * precedes `forwarded` (RFC 7239), which a proxy that only knows the former passes on unchecked.
 * Undefined if the connection is not from a trusted proxy.
 */
export function forwardedFor(
  headers: Headers,
  peer: string,
  trusted: TrustedProxies,
): Forwarded | undefined {
  const connected = addressIn(peer);
  if (connected === undefined || !isTrusted(connected, trusted)) return undefined;
  const said = headers.has("x-forwarded-for") ? deFacto(headers) : standard(headers);
  const { scheme, host } = said;
  return {
    ip: nearest(connected, said.addresses, trusted),
    ...(isScheme(scheme) && { scheme }),
    ...(isHost(host) && { host }),
  };
}

/** Stops at an unreadable address: entries left of it cannot be trusted. */
function nearest(
  connected: string,
  addresses: readonly string[],
  trusted: TrustedProxies,
): string {
  let seen = connected;
  for (const text of addresses.toReversed()) {
    const address = addressIn(text);
    if (address === undefined) return seen;
    seen = address;
    if (!isTrusted(address, trusted)) return seen;
  }
  return seen;
}

/** The headers' values; the nearest proxy wrote the last of each. */
interface Said {
  readonly addresses: readonly string[];
  readonly scheme?: string;
  readonly host?: string;
}

function deFacto(headers: Headers): Said {
  return {
    addresses: listed(headers, "x-forwarded-for"),
    scheme: listed(headers, "x-forwarded-proto").at(-1)?.toLowerCase(),
    host: listed(headers, "x-forwarded-host").at(-1),
  };
}

function standard(headers: Headers): Said {
  const hops = listed(headers, "forwarded").map(parametersOf);
  const last = hops.at(-1);
  const plain = hops.length === 0 ? deFacto(headers) : undefined;
  return {
    addresses: hops.map((hop) => hop.get("for") ?? ""),
    scheme: last?.get("proto")?.toLowerCase() ?? plain?.scheme,
    host: last?.get("host") ?? plain?.host,
  };
}

function listed(headers: Headers, name: string): string[] {
  const text = headers.get(name);
  return text === null ? [] : text.split(",").map((part) => part.trim());
}

/** The parameters of `for="[2001:db8::1]:80";proto=https` by name. */
function parametersOf(hop: string): Map<string, string> {
  return new Map(
    hop.split(";").map((pair) => {
      const [name, ...value] = pair.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim().replaceAll('"', "")] as const;
    }),
  );
}

/** The address without a port and brackets; IPv4-mapped IPv6 becomes IPv4. */
function addressIn(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ??
    /^([^:]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(address) === 0 || address.includes("%") ? undefined : address;
}

function isTrusted(address: string, trusted: TrustedProxies): boolean {
  return trusted.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

function isScheme(text: string | undefined): text is "http" | "https" {
  return text === "http" || text === "https";
}

/** Accepts a name or an address, with or without a port, and nothing that would change the rest of the URL. */
function isHost(text: string | undefined): text is string {
  return text !== undefined && /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(text) &&
    URL.canParse(`http://${text}`);
}
