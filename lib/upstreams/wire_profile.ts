import type { FormatName } from "../canonical/mod.ts";
import type { Upstream } from "./upstream.ts";

/** The headers and query parameters of calls in a format. */
interface WireProfile {
  authHeaders(credential: string): Readonly<Record<string, string>>;
  /** Headers of every call, unless the caller's replace them. */
  headers(upstream: Upstream): Readonly<Record<string, string>>;
  /** The request's headers that are sent on. */
  readonly forwardedHeaders: readonly string[];
  /** The response header with the service tier; absent if the body has it. */
  readonly servedTierHeader?: string;
  /** Query parameters of a call. */
  search(path: string): Readonly<Record<string, string>>;
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
    // the second means that the tools are in the input (Codex 0.169.0, 2026-11-21)
    forwardedHeaders: ["openai-beta", "x-openai-internal-codex-responses-lite"],
    search: none,
  },
  messages: {
    authHeaders: (credential) => ({ "x-api-key": credential }),
    headers: ({ messagesVersion = "2023-06-01" }) => ({ "anthropic-version": messagesVersion }),
    forwardedHeaders: ["anthropic-version", "anthropic-beta"],
    search: none,
  },
  "generate-content": {
    authHeaders: (credential) => ({ "x-goog-api-key": credential }),
    headers: none,
    forwardedHeaders: [],
    servedTierHeader: "x-gemini-service-tier",
    // streams are always requested as server-sent events, whatever framing the caller uses
    search: (path): Record<string, string> =>
      path.endsWith(":streamGenerateContent") ? { alt: "sse" } : {},
  },
};
