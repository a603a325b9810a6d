import { issueSetupLink } from "../../../lib/accounts/mod.ts";
import { openTestConsole, type TestConsole } from "../../console/console.ts";

export interface ServedConsole {
  readonly console: TestConsole;
  /** Such as `http://localhost:39115`. */
  readonly origin: string;
  readonly setupPath: string;
  readonly close: () => Promise<void>;
}

/** The console at a free port of this machine, over an empty store with a set-up link. */
export async function serveConsole(): Promise<ServedConsole> {
  const { console, close } = await openTestConsole({ empty: true });
  const link = await issueSetupLink(console.store, console.clock.nowMs);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, console.fetch);
  return {
    console,
    origin: `http://localhost:${server.addr.port}`,
    setupPath: `/setup/${link?.token}`,
    close: async () => {
      await server.shutdown();
      await close();
    },
  };
}
