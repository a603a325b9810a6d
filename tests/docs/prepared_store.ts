import { compose } from "../../main.ts";
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
