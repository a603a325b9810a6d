import { issueAdminToken } from "../../lib/accounts/mod.ts";
import type { AdminToken } from "../../lib/store/admin_tokens/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { createUser } from "../../lib/store/users/mod.ts";
import { administrator, member } from "../console/people.ts";
import { startGateway } from "../e2e/gateway.ts";

/** The answer to a request, its body read. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look into bodies of many shapes
  readonly body: any;
}

interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The secret to send; the token with every scope unless stated. */
  readonly token?: string;
}

/** A gateway with an administrator and a member, and a client of its management API. */
export interface TestApi extends AsyncDisposable {
  readonly base: string;
  readonly store: Store;
  readonly secret: string;
  /** `path` is below `/api/v1`. */
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<ApiAnswer>;
  /** Creates a token, and returns its secret. */
  readonly newToken: (draft?: Partial<AdminToken>) => Promise<string>;
}

export async function startApi(config: Record<string, unknown> = {}): Promise<TestApi> {
  const gateway = await startGateway(config);
  const { store } = gateway.parts;
  await Promise.all([administrator, member].map((one) => createUser(store, one)));
  const newToken = async (draft: Partial<AdminToken> = {}) => {
    const fields = { name: "test", userId: administrator.id, scopes: ["*"], ...draft };
    return (await issueAdminToken(store, fields, { nowMs: Date.now() })).secret;
  };
  const secret = await newToken();
  return {
    base: gateway.base,
    store,
    secret,
    newToken,
    ask: (method, path, { body, headers, token = secret } = {}) =>
      answerOf(fetch(`${gateway.base}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      })),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

async function answerOf(fetching: Promise<Response>): Promise<ApiAnswer> {
  const response = await fetching;
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, body: text === "" ? undefined : JSON.parse(text) };
}
