import { hash } from "node:crypto";
import type { CanonicalEvent, CanonicalRequest, FormatName } from "../canonical/mod.ts";
import type { CostTerms, UpstreamRecord } from "../store/catalog/mod.ts";
import { tierHeader } from "./surfaces/table.ts";

/** An upstream as the gateway calls it: a configured address, or a model that runs inside the gateway. */
export interface Upstream extends UpstreamRecord {
  /** Present for a model inside the gateway, whose `endpoints` are empty: it speaks the canonical form. */
  readonly answer?: AnswerInProcess;
}

export type AnswerInProcess = (
  request: CanonicalRequest,
  options: { readonly requestId: string; readonly signal: AbortSignal },
) => AsyncIterator<CanonicalEvent>;

/** One way to answer a request: an upstream with a format, a credential and a model name. */
export interface Candidate {
  readonly upstream: Upstream;
  readonly upstreamModel: string;
  /** The member of a virtual model that it serves; absent: the model that the caller stated. */
  readonly model?: string;
  /** True if the upstream serves `*` but does not list this model. */
  readonly isGuess?: true;
  /** Absent for a model inside the gateway. */
  readonly format?: FormatName;
  /** Absent for an upstream that needs none. */
  readonly credential?: Credential;
}

interface Credential {
  /** The first digits of the secret's SHA-256: its name in logs, the console and metrics. */
  readonly id: string;
  /** Never shown and never logged. */
  readonly secret: string;
}

/** The terms on which a candidate's calls cost the operator; undefined: list prices. */
export function costTermsOf({ upstream: { costs }, credential }: Candidate): CostTerms | undefined {
  return costs && (credential && costs.credentials?.[credential.id] || costs);
}

/** An upstream's credentials in order; empty if it needs none. */
export function credentialsOf(
  { credentials }: Pick<UpstreamRecord, "credentials">,
): readonly Credential[] {
  const known = named.get(credentials);
  if (known) return known;
  const made = credentials.map((secret) => ({
    id: hash("sha256", secret, "hex").slice(0, idDigits),
    secret,
  }));
  named.set(credentials, made);
  return made;
}

/** Caches ids by list: lists are never changed in place, so each secret is hashed once. */
const named = new WeakMap<readonly string[], readonly Credential[]>();

const idDigits = 8;

/** Fields that say where a message goes, how long it is, what it holds or how it is sent (RFC 9110, RFC 9112). */
const ofTheMessage =
  /^(accept(-.*)?|connection|content-.*|date|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via)$/;

/**
 * Returns true for the name of a header that may carry an upstream's credential. In another one it
 * would break the request, or be dropped or read by a proxy on the way.
 */
export function mayCarryCredential(header: string): boolean {
  return /^[A-Za-z0-9-]{1,100}$/.test(header) && !ofTheMessage.test(header.toLowerCase());
}

interface WireProfile {
  authHeaders(credential: string): Readonly<Record<string, string>>;
  /** Headers of every call, unless the caller's replace them. */
  headers(upstream: Upstream): Readonly<Record<string, string>>;
  /** The request's headers that are sent on. */
  readonly forwardedHeaders: readonly string[];
  /** The response header with the service tier; absent if the body has it. */
  readonly servedTierHeader?: string;
  /** The path at which upstreams may also offer a WebSocket. */
  readonly socketPath?: string;
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
    socketPath: "/responses",
    search: none,
  },
  messages: {
    authHeaders: (credential) => ({ "x-api-key": credential }),
    headers: ({ messagesVersion = "2023-06-01" }) => ({ "anthropic-version": messagesVersion }),
    forwardedHeaders: ["anthropic-version", "anthropic-beta", tierHeader],
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
