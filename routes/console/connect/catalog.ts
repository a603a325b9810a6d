import { agentCatalog } from "../../../lib/console/connect/agent_catalog.ts";
import { ownKey } from "../../../lib/console/keys/own_key.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** Downloads the models that `?key=` may call, as Codex reads them from a file. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state }) {
    return agentCatalog(await ownKey(searchParams.get("key") ?? "", state), state);
  },
});
