import type { ErrorCode } from "../../../canonical/mod.ts";
import type { ConnectionState } from "../../../upstreams/mod.ts";

const address = "check the host and port of the base URL";

/** The result of a connection test and its remedy, for administrators. */
const connection: Readonly<Record<ConnectionState, string>> = {
  ok: "Connection OK: the key is accepted",
  unlisted: "Connection OK, but the upstream lists no models: enter their names",
  busy: "Rate limited: the key's limits are used up. Try again later",
  "key-missing": "This upstream requires an API key: enter one",
  "key-refused": "The upstream rejected the key: check the key and its auth header",
  sealed: "The key cannot be decrypted with this TESSERA_SECRET: enter it again",
  path: "Not found (404): check the base URL, and whether it must end in /v1",
  redirect: "The upstream redirects to another URL: if it is right, use it as the base URL",
  "not-json": "The response is a web page or text, not JSON: check the base URL",
  "no-list": "The response has no model list: check the base URL and the format",
  failing: "The upstream returned an error: see its message below, or try again later",
  timeout: "Timed out: check the URL, and whether a firewall blocks the connection",
  address: "The gateway may not connect to this address: declare the upstream in the config file",
  name: `DNS lookup failed: check the hostname and this server's network`,
  refused: `Connection refused: ${address}, and that the server is running`,
  unreachable: `No route to the host: ${address}`,
  certificate: "The TLS certificate is invalid for this hostname or not trusted",
  tls: "The server does not use TLS: the base URL may need http://",
  closed: "The server closed the connection without a response",
  headers: "The response headers are too large",
  "not-http": "The server does not respond in HTTP: the base URL may need https://",
  unknown: "The connection failed: see the message below",
};

const causes: Readonly<Partial<Record<ErrorCode, string>>> = {
  upstream_unauthorized: "its credential was rejected",
  upstream_unreachable: "connection failed",
};

/** Results of connection tests and route checks. */
export const upstreamWords = {
  connection,
  route: {
    native: (format: string) => `Serves ${format} natively`,
    converted: (format: string) => `Serves it by conversion to ${format}`,
    builtIn: "Serves every format natively",
    priority: (priority: number) => `priority ${priority}`,
    weight: (weight: number) => `weight ${weight}`,
    probing: "recovering: a test call is running",
    "half-open": "recovering: next call is a test",
    cooling: (time: string) => `rate limited until ${time}`,
    open: (time: string, cause: string) => `paused until ${time}: ${cause}`,
    causes,
    cause: (code: string) => `too many failures, last ${code}`,
    disabled: "Disabled",
    credentials: (fault: string) => `Cannot decrypt its credentials: enter them again (${fault})`,
    group: (group: string) => `Does not serve group ${group}`,
    model: (model: string) => `Does not serve model ${model}`,
  },
};
