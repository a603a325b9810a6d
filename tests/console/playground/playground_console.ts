import { startSession } from "../../../lib/accounts/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { postEntry } from "../../../lib/store/money/mod.ts";
import { createUser, getUser, type User } from "../../../lib/store/users/mod.ts";
import { startGateway, type TestGateway } from "../../e2e/gateway.ts";
import { openTestConsole, type TestBrowser, type TestConsole } from "../console.ts";
import { member } from "../people.ts";

/** The console before a gateway of its own, whose embedded model has a price. */
export interface PlaygroundConsole extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly store: Store;
  readonly fetch: TestConsole["fetch"];
  readonly signedIn: (user: User) => Promise<TestBrowser>;
}

const price = { input: 1, output: 2 };

/** `config` is what the gateway's configuration file would hold. */
export async function openPlayground(
  config: Record<string, unknown> = {},
): Promise<PlaygroundConsole> {
  const opened = await openTestConsole({ empty: true });
  // Second, so that the pages work with its services.
  const gateway = await startGateway({ models: [{ id: "tessera-echo", price }], ...config });
  const { store } = gateway.parts;
  return {
    gateway,
    store,
    fetch: opened.console.fetch,
    signedIn: async (user) => {
      if (!await getUser(store, user.id)) await createUser(store, user);
      const { token } = await startSession(store, user, { nowMs: Date.now() });
      const browser = opened.console.browser();
      browser.cookies.set("__Host-tessera", token);
      return browser;
    },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await opened.close();
    },
  };
}

/** Gives the member of the tests a dollar. */
export async function fund(store: Store, accountId = member.id): Promise<void> {
  await postEntry(store, {
    accountId,
    type: "grant",
    changeNanoUsd: 1_000_000_000n,
    reason: "test",
    actor: "owner",
    atMs: Date.now(),
    idempotencyKey: `grant ${accountId}`,
  });
}
