import type { GatewayAccess } from "./settings.ts";
import { CommandError, type Terminal } from "./terminal.ts";

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [name: string]: Json;
}

/** One request to the management API. */
interface ApiRequest {
  readonly method: string;
  /** Below `/api/v1`, with its parts encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonRecord;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the management API. Returns undefined for an answer without a body. */
export type ApiClient = (request: ApiRequest) => Promise<JsonRecord | undefined>;

const timeoutMs = 60_000;

const retryAfterMs = 500;

/**
 * Creates a client. It throws `CommandError` with the API's own message. A POST carries an
 * `Idempotency-Key`, its own or the caller's. A POST or a GET whose connection breaks is sent once
 * more, with the same key, so that the gateway performs it once.
 */
export function createClient({ url, token }: GatewayAccess, { send }: Terminal): ApiClient {
  return async ({ method, path, query = {}, body, headers: own = {} }) => {
    const address = new URL(`${url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json" }),
      ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
      ...own,
    };
    const attempt = () =>
      readWhole(send, () =>
        new Request(address, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
          redirect: "error", // another host must not get the token
          signal: AbortSignal.timeout(timeoutMs),
        }));
    const isRepeatable = method === "POST" || method === "GET";
    const read = await attempt().catch(async (error) => {
      if (!isRepeatable || isTimeout(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      return await attempt();
    }).catch((error) => {
      throw unreachable(error, { url, key: headers["idempotency-key"] });
    });
    return answerOf(read);
  };
}

/** An answer with its whole body, so that a connection that breaks in it is noticed here. */
interface ReadAnswer extends Pick<Response, "status" | "ok"> {
  readonly text: string;
}

async function readWhole(
  send: Terminal["send"],
  requestOf: () => Request,
): Promise<ReadAnswer> {
  const response = await send(requestOf());
  const { status, ok } = response;
  return { status, ok, text: await response.text() };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function unreachable(
  error: unknown,
  { url, key }: { readonly url: string; readonly key?: string },
): CommandError {
  const reason = error instanceof Error ? error.message : String(error);
  const hint = key === undefined
    ? ""
    : `. The change may have been made: repeat the command with --idempotency-key ${key}`;
  return new CommandError("unreachable", `Cannot reach the gateway at ${url}: ${reason}${hint}`);
}

function answerOf({ status, ok, text }: ReadAnswer): JsonRecord | undefined {
  if (status === 204) return undefined;
  const answer = parsed(text);
  if (ok && answer) return answer;
  const { message, request_id: id } = (answer?.error ?? {}) as Partial<Record<string, string>>;
  if (message === undefined) throw new CommandError("failed", unknownAnswer(status));
  const kind = status === 401 || status === 403 ? "unauthorized" : "failed";
  throw new CommandError(kind, id ? `${message} (${status}, ${id})` : `${message} (${status})`);
}

function unknownAnswer(status: number): string {
  return `The address answered ${status}, but not as a gateway's management API. Check TESSERA_URL`;
}

function parsed(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value as JsonRecord : undefined;
  } catch {
    return undefined;
  }
}
