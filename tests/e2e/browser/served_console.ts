import type { Browser, Page } from "puppeteer-core";
import { issueSetupLink, startSession } from "../../../lib/accounts/mod.ts";
import { compressing } from "../../../lib/http/body/compression.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { createUser, type User } from "../../../lib/store/users/mod.ts";
import { openTestConsole, type TestConsole } from "../../console/console.ts";
import { nowMs } from "../../console/people.ts";

export interface ServedConsole extends AsyncDisposable {
  readonly console: TestConsole;
  /** Such as `http://localhost:39115`. */
  readonly origin: string;
  readonly setupPath: string;
  /** All requests so far, in order. */
  readonly requests: readonly Request[];
}

/** The console at a free port of this machine, over an empty store with a set-up link. */
export async function serveConsole({ speculates = false } = {}): Promise<ServedConsole> {
  const { console, close } = await openTestConsole({ empty: true });
  const link = await issueSetupLink(console.store, console.clock.nowMs);
  const requests: Request[] = [];
  const answer = compressing(console.fetch);
  const listening = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(listening, async (request, info) => {
    requests.push(request);
    const response = await answer(request, info);
    return speculates ? response : withoutSpeculation(response);
  });
  return {
    console,
    origin: `http://localhost:${server.addr.port}`,
    setupPath: `/setup/${link?.token}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await close();
    },
  };
}

/**
 * The response without its rules, so that browsers load no page ahead of a click: Puppeteer waits in
 * vain for the response of a page that was loaded before.
 */
export function withoutSpeculation(response: Response): Response {
  response.headers.delete("speculation-rules");
  return response;
}

/** Opens a page on which a new user is signed in since `atMs`. */
export async function signIn(
  browser: Browser,
  { console: { store } }: { readonly console: { readonly store: Store } },
  user: User,
  { atMs = nowMs } = {},
): Promise<Page> {
  await createUser(store, user);
  const { token } = await startSession(store, user, { nowMs: atMs });
  const cookie = { value: token, domain: "localhost", path: "/", httpOnly: true };
  await browser.setCookie(
    { ...cookie, name: "__Host-tessera", secure: true },
    { ...cookie, name: "tessera" },
  );
  return await browser.newPage();
}
