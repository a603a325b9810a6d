import { assert } from "@std/assert";
import { startSession } from "../../../lib/accounts/mod.ts";
import { createUser, type User } from "../../../lib/store/users/mod.ts";
import { type ServedGateway, serveGateway } from "../browser/journeys/served_gateway.ts";

/** A whole gateway, and who is signed in to its console. */
export interface ConsoleGateway extends AsyncDisposable {
  readonly gateway: ServedGateway;
  /** `more`: cookies beside the session's. */
  readonly get: (path: string, more?: Readonly<Record<string, string>>) => Promise<Response>;
  readonly post: (path: string, form: Readonly<Record<string, string>>) => Promise<Response>;
}

/** Serves a gateway with a user signed in; redirects are not followed. */
export async function signedInGateway(
  user: User,
  config: Readonly<Record<string, unknown>> = {},
): Promise<ConsoleGateway> {
  const gateway = await serveGateway(config);
  await createUser(gateway.parts.store, user);
  const { token } = await startSession(gateway.parts.store, user, { nowMs: Date.now() });
  assert(token);
  const cookies = new Map([["tessera", token]]);
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    headers.set("sec-fetch-site", "same-origin");
    const response = await fetch(gateway.origin + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(";", 1)[0].split(/=(.*)/);
      cookies.set(name, value);
    }
    return response;
  };
  return {
    gateway,
    get: (path, more = {}) => {
      for (const pair of Object.entries(more)) cookies.set(...pair);
      return ask(path, {});
    },
    post: (path, form) => ask(path, { method: "POST", body: new URLSearchParams(form) }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}
