import { compose } from "../../main.ts";
import { litellmConfig, litellmDump, litellmVariables } from "../tools/migration/litellm_sample.ts";
import { makeNewApi } from "../tools/migration/new_api_sample.ts";
import type { Shell } from "./shell.ts";

/** The store of a stopped gateway in the shell's folder, with the account that the documents name. */
export async function prepareStore({ folder }: Shell): Promise<void> {
  const path = `${folder}/data/tessera.db`;
  if (await Deno.stat(path).then(() => true, () => false)) return;
  const gateway = await compose({
    TESSERA_KV: path,
    TESSERA_ADMIN_EMAIL: "mira@example.com",
    TESSERA_ADMIN_PASSWORD: "correct horse battery",
  });
  await gateway.close();
}

/** The files that the pages on moving in import, in the shell's folder. */
export async function prepareImports({ folder }: Shell): Promise<void> {
  const variables = Object.entries(litellmVariables).map(([name, value]) => `${name}=${value}\n`);
  const files = {
    "config.yaml": litellmConfig,
    "litellm.sql": litellmDump,
    ".env": variables.join(""),
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  makeNewApi(`${folder}/one-api.db`);
}
