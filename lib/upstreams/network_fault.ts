import { AddressError } from "./address.ts";

/** The network errors that the runtime's messages distinguish. */
export type NetworkFault =
  | "address"
  | "name"
  | "refused"
  | "unreachable"
  | "certificate"
  | "tls"
  | "closed"
  | "headers"
  | "not-http"
  | "unknown";

/** The meaning of each fault, for callers and operators; reveals no upstream address. */
export const networkFaultWords: Readonly<Record<NetworkFault, string>> = {
  address: "its address is not allowed",
  name: "its name cannot be resolved",
  refused: "the connection was refused",
  unreachable: "its network is unreachable",
  certificate: "its certificate is invalid",
  tls: "it does not use TLS, so its base URL may need http://",
  closed: "it closed the connection without a response",
  headers: "its response headers are too large",
  "not-http": "it does not respond in HTTP, so its base URL may need https://",
  unknown: "the connection failed",
};

/** Patterns of the runtime's messages (Deno 2.9.6), the only way to distinguish faults. */
const words: readonly (readonly [RegExp, NetworkFault])[] = [
  [/failed to lookup|dns error|ENOTFOUND|EAI_AGAIN/i, "name"],
  [/connection refused|ECONNREFUSED/i, "refused"],
  [/(network|host) (is )?unreachable|no route to host/i, "unreachable"],
  [/peer certificate|CertificateUnknown|UnknownIssuer/i, "certificate"],
  [/without sending TLS close_notify/i, "closed"],
  [/corrupt message|InvalidContentType|handshake|\btls\b/i, "tls"],
  [/message head is too large/i, "headers"],
  [/invalid HTTP|parsed|HTTP2?.*protocol error/i, "not-http"],
  [/closed before|reset by peer|broken pipe|unexpected end of file|\bEOF\b/i, "closed"],
];

export function networkFaultOf(thrown: unknown): NetworkFault {
  const texts: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof AddressError) return error.isUnknown ? "name" : "address";
    texts.push(`${error.name} ${error.message}`);
  }
  const text = texts.join(" ");
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown";
}
