import { type NetworkFault, networkFaultWords } from "./network_fault.ts";

/** How a look at an upstream came out. */
export type ConnectionState =
  | "ok"
  | "unlisted"
  | "busy"
  | "key-missing"
  | "key-refused"
  | "sealed"
  | "path"
  | "redirect"
  | "not-json"
  | "no-list"
  | "failing"
  | "timeout"
  | NetworkFault;

/** States in which calls may succeed. */
const ready: ReadonlySet<ConnectionState> = new Set(["ok", "unlisted", "busy"]);

export function isReady(state: ConnectionState): boolean {
  return ready.has(state);
}

const address = "check the host and the port of the base URL";

/** What each state means and what to do, for administrators. */
export const connectionWords: Readonly<Record<ConnectionState, string>> = {
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
  address: "Its address is not on the public internet: declare it in the configuration file",
  name: `Nobody knows its name: ${address}`,
  refused: `Nothing listens there: ${address}, and whether the server runs`,
  unreachable: `There is no way to its network: ${address}`,
  certificate: "Its TLS certificate is not valid for this name, or nobody known here has signed it",
  tls: sentence(networkFaultWords.tls),
  closed: sentence(networkFaultWords.closed),
  headers: sentence(networkFaultWords.headers),
  "not-http": sentence(networkFaultWords["not-http"]),
  unknown: "The connection failed: look at what is said below",
};

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
