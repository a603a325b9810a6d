import type { FormatName } from "../canonical/mod.ts";
import type { WireRequest } from "../formats/wire.ts";
import type { Upstream } from "./upstream.ts";

/** How upstreams of a format are called, beyond what the body says. */
interface WireProfile {
  authHeaders(credential: string): Readonly<Record<string, string>>;
  /** Headers that every call bears. */
  headers(upstream: Upstream, wire: WireRequest): Readonly<Record<string, string>>;
  /** The caller's headers that may reach an upstream of the same format; all others stay here. */
  readonly forwardedHeaders: readonly string[];
  /** The header of an answer that says which service tier served it; absent where the body does. */
  readonly servedTierHeader?: string;
  /** Query parameters of a call. */
  search(wire: WireRequest): Readonly<Record<string, string>>;
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const none = () => ({});

export const wireProfiles: Readonly<Record<FormatName, WireProfile>> = {
  "chat-completions": {
    authHeaders: bearer,
    headers: none,
    forwardedHeaders: ["openai-beta"],
    search: none,
  },
  responses: {
    authHeaders: bearer,
    headers: none,
    // the second says that the tools stand in the input (Codex 0.169.0, 2026-11-21)
    forwardedHeaders: ["openai-beta", "x-openai-internal-codex-responses-lite"],
    search: none,
  },
  messages: {
    authHeaders: (credential) => ({ "x-api-key": credential }),
    headers: ({ messagesVersion }, { headers }) => ({
      "anthropic-version": headers["anthropic-version"] ?? messagesVersion ?? "2023-06-01",
    }),
    forwardedHeaders: ["anthropic-beta"],
    search: none,
  },
  "generate-content": {
    authHeaders: (credential) => ({ "x-goog-api-key": credential }),
    headers: none,
    forwardedHeaders: [],
    servedTierHeader: "x-gemini-service-tier",
    // streams are always asked for as server-sent events, whatever framing the caller wants
    search: ({ path }): Record<string, string> =>
      path.endsWith(":streamGenerateContent") ? { alt: "sse" } : {},
  },
};
