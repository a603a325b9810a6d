import { CommandError } from "./error.ts";
import type { GatewayAccess } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

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

/**
 * Creates a client. It throws `CommandError` with the API's own message; a POST carries an
 * `Idempotency-Key`, so that the gateway performs it once.
 */
export function createClient({ url, token }: GatewayAccess, { send }: Terminal): ApiClient {
  return async ({ method, path, query = {}, body, headers = {} }) => {
    const address = new URL(`${url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const request = new Request(address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error", // another host must not get the token
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await answerOf(await reached(request, { url, send }));
  };
}

async function reached(
  request: Request,
  { url, send }: { readonly url: string; readonly send: Terminal["send"] },
): Promise<Response> {
  try {
    return await send(request);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError("unreachable", `Cannot reach the gateway at ${url}: ${reason}`);
  }
}

async function answerOf(response: Response): Promise<JsonRecord | undefined> {
  const { status } = response;
  const text = await response.text();
  if (status === 204) return undefined;
  const answer = parsed(text);
  if (response.ok && answer) return answer;
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
