import type { Caller } from "../accounts/authorize.ts";
import { sessionOfChild } from "../accounts/mod.ts";
import {
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nanoUsdIn,
} from "../canonical/mod.ts";
import { type CallSession, sessionName, sessionNameText } from "../store/log/mod.ts";

/** The header that names a call's session: `ID`, `ID/AGENT` or `ID/AGENT/CLASS`. */
const sessionHeader = "tessera-session";

/** The header with the most dollars that a call's session may spend. */
const sessionBudgetHeader = "tessera-session-budget";

/** The names of the headers in which a client states the session of a call. */
interface ClientHeaders {
  readonly session: string;
  /** The sub-agent; none if it repeats the session. */
  readonly agent?: string;
  /** The session that started this one, which then counts as a sub-agent of it. */
  readonly parent?: string;
  readonly requestClass?: string;
  /** JSON whose `request_kind` is the class of a call without `requestClass`. */
  readonly metadata?: string;
}

/** Codex's members of `client_metadata`, which are right for each frame of a WebSocket. */
const codexMetadata: ClientHeaders = {
  session: "session_id",
  agent: "thread_id",
  requestClass: "x-openai-subagent",
  metadata: "x-codex-turn-metadata",
};

/**
 * Clients by the header of their session, as measured; the first one that is present counts. Each row
 * costs calls without a session a look-up.
 */
const clients: readonly ClientHeaders[] = [
  { // Claude Code 2.1.332; the class needs CLAUDE_CODE_GATEWAY_HINT_HEADERS=1
    session: "x-claude-code-session-id",
    agent: "x-claude-code-agent-id",
    requestClass: "x-claude-code-request-class",
  },
  { // Codex 0.171.0, pi 1.6.0
    session: "session-id",
    agent: "thread-id",
    requestClass: "x-openai-subagent",
    metadata: "x-codex-turn-metadata",
  },
  { session: "x-session-affinity", parent: "x-parent-session-id" }, // opencode 1.18.33, pi
];

/** A session of JSON in a text; a pattern, because the rest of the text may be anything. */
const sessionInJson = /"session_id":\s*"([^"]{1,100})"/;
const kindInJson = /"request_kind":\s*"([^"]{1,100})"/;
/** A cache key that ends in a UUID belongs to one conversation; others may belong to a whole program. */
const endsInUuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The session that the headers of a call state. It is the client's claim: it groups the calls of one
 * key. Throws `invalid_request` for a malformed `tessera-session`.
 */
export function sessionOf(headers: Headers): CallSession | undefined {
  const own = headers.get(sessionHeader)?.trim();
  if (own) return ownSession(own);
  for (const client of clients) {
    const id = claimed(headers.get(client.session));
    if (id !== undefined) return clientSession(id, client, (name) => headers.get(name));
  }
}

function clientSession(
  id: string,
  { agent, parent, requestClass, metadata }: ClientHeaders,
  read: (name: string) => JsonValue | undefined,
): CallSession {
  const known = (name: string | undefined) => name === undefined ? undefined : read(name);
  const starter = claimed(known(parent));
  if (starter !== undefined) return sessionWith(starter, id);
  const kind = known(requestClass) ?? kindInJson.exec(String(known(metadata)))?.[1];
  return sessionWith(id, known(agent), kind);
}

function ownSession(text: string): CallSession {
  const parts = text.split("/");
  const [id, agent, requestClass] = parts;
  if (parts.length <= 3 && parts.every((part) => sessionName.test(part))) {
    return sessionWith(id, agent, requestClass);
  }
  throw new GatewayError(
    "invalid_request",
    `Cannot read the header ${sessionHeader}: write ID, ID/AGENT or ID/AGENT/CLASS, each of ` +
      sessionNameText,
    { param: sessionHeader },
  );
}

/**
 * The caller with the session that the body states, unless the headers stated one. Codex's own counts
 * before its headers: those of a WebSocket are of its first call. Throws `invalid_request` for a
 * budget without a session.
 */
export function withBodySession(caller: Caller, body: JsonObject, headers: Headers): Caller {
  const own = isJsonObject(body.client_metadata) && !caller.child && !headers.has(sessionHeader)
    ? codexSession(body.client_metadata)
    : undefined;
  const session = own ?? caller.session ?? bodySession(body);
  if (!session && caller.sessionNanoUsd !== undefined) {
    throw malformedBudget(`the call names no session. Send one in ${sessionHeader}`);
  }
  return session === caller.session ? caller : { ...caller, session };
}

/**
 * The caller with the session and the budget of it that the headers state. A child key states its
 * session itself, and with it the sub-agent.
 */
export function withSession(caller: Caller, headers: Headers): Caller {
  const stated = sessionOf(headers);
  const session = caller.child ? { ...stated, ...sessionOfChild(caller.child) } : stated;
  const budget = headers.get(sessionBudgetHeader)?.trim();
  if (!session && !budget) return caller;
  return {
    ...caller,
    ...(session && { session }),
    ...(budget && { sessionNanoUsd: budgetIn(budget) }),
  };
}

function budgetIn(text: string): bigint {
  const nanoUsd = nanoUsdIn(text);
  if (nanoUsd !== undefined) return nanoUsd;
  throw malformedBudget("write dollars above 0 with at most 9 decimals, such as 2.50");
}

function malformedBudget(fault: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `Cannot apply the header ${sessionBudgetHeader}: ${fault}`,
    { param: sessionBudgetHeader },
  );
}

function codexSession(metadata: JsonObject): CallSession | undefined {
  const id = claimed(metadata[codexMetadata.session]);
  return id === undefined ? undefined : clientSession(id, codexMetadata, (name) => metadata[name]);
}

/** Claude Code repeats its session in the JSON text `metadata.user_id`. */
function bodySession(
  { metadata, prompt_cache_key: cacheKey }: JsonObject,
): CallSession | undefined {
  const user = isJsonObject(metadata) ? metadata.user_id : undefined;
  const inUser = typeof user === "string" ? claimed(sessionInJson.exec(user)?.[1]) : undefined;
  const id = inUser ?? claimed(cacheKey);
  return id !== undefined && (inUser !== undefined || endsInUuid.test(id)) ? { id } : undefined;
}

function sessionWith(id: string, agent?: JsonValue, requestClass?: JsonValue): CallSession {
  const [part, kind] = [claimed(agent), claimed(requestClass)];
  return {
    id,
    ...(part !== undefined && part !== id && { agent: part }),
    ...(kind !== undefined && { requestClass: kind }),
  };
}

function claimed(text: JsonValue | undefined): string | undefined {
  const trimmed = typeof text === "string" ? text.trim() : "";
  return sessionName.test(trimmed) ? trimmed : undefined;
}
