import type { ErrorCode } from "../../../canonical/mod.ts";
import type { ConnectionState } from "../../../upstreams/mod.ts";

const address = "check the host and the port of the base URL";

/** What a look at an upstream means and what to do, for administrators. */
const connection: Readonly<Record<ConnectionState, string>> = {
  ok: "It answers and takes the key",
  unlisted: "It answers and takes the key, but lists no models: enter their names",
  busy: "It answers, but takes no more calls at the moment: the key's limits are used up",
  "key-missing": "It wants a key, and none is set: enter one",
  "key-refused": "It refuses the key: check it, and whether it goes in the right header",
  sealed: "The key cannot be opened with this TESSERA_SECRET: enter it again",
  path: "Nothing is at this path: check the base URL, most of all whether it must end in /v1",
  redirect:
    "It redirects to another address: enter that one as the base URL, if it is the right one",
  "not-json": "It answers with a page or a text, not as an API does: check the base URL",
  "no-list": "It answers in JSON, but with no list of models: check the base URL and the format",
  failing: "It answers with an error of its own: try again later, or look at what it says",
  timeout: "It does not answer in time: check the address, and whether a firewall drops the call",
  address: "Its address may not be called from here: declare it in the configuration file",
  name: `Nobody knows its name: ${address}`,
  refused: `Nothing listens there: ${address}, and whether the server runs`,
  unreachable: `There is no way to its network: ${address}`,
  certificate: "Its TLS certificate is not valid for this name, or nobody known here has signed it",
  tls: "It does not speak TLS, so its base URL may begin with http:// instead",
  closed: "It closed the connection without an answer",
  headers: "The headers of its answer are too large",
  "not-http": "It does not answer in HTTP, so its base URL may begin with https:// instead",
  unknown: "The connection failed: look at what is said below",
};

const causes: Readonly<Partial<Record<ErrorCode, string>>> = {
  upstream_unauthorized: "its credential was refused",
  upstream_unreachable: "it could not be reached",
};

/** How upstreams are found, and why one would serve a call or not. */
export const upstreamWords = {
  connection,
  route: {
    native: (format: string) => `Answers ${format} itself`,
    converted: (format: string) => `Answers by conversion to ${format}`,
    builtIn: "Answers every format itself",
    priority: (priority: number) => `priority ${priority}`,
    weight: (weight: number) => `weight ${weight}`,
    probing: "a probe is out",
    "half-open": "half-open: the next call probes it",
    cooling: (time: string) => `paused until ${time}: it asked for fewer calls`,
    open: (time: string, cause: string) => `left alone until ${time}: ${cause}`,
    causes,
    cause: (code: string) => `it failed too often, last with ${code}`,
    disabled: "It is disabled",
    credentials: (fault: string) => `Its credentials cannot be opened: enter them again (${fault})`,
    group: (group: string) => `It does not serve the group ${group}`,
    model: (model: string) => `It does not serve the model ${model}`,
  },
};
