import { purposeOf } from "../../catalog/mod.ts";
import { encodeAgentModels } from "../../formats/responses/agent_catalog.ts";
import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { AccountState } from "../session/state.ts";
import { modelRowsOf } from "./gateway_check.ts";

/** The file that Codex's `model_catalog_json` names, with the chat models of a key, as a download. */
export function agentCatalog(apiKey: ApiKey, state: AccountState): Response {
  const rows = modelRowsOf(apiKey, state).filter(({ id }) => purposeOf(id) === "chat");
  return Response.json({ models: encodeAgentModels(rows) }, {
    headers: {
      "content-disposition": 'attachment; filename="codex-models.json"',
      "cache-control": "no-store",
    },
  });
}
