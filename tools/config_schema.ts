import { z } from "zod";
import { fileSchema } from "../lib/config/schema.ts";

/** The JSON schema of the configuration file. Editors use it for completion and checks. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(fileSchema, { io: "input" });
  return `${JSON.stringify({ title: "Tessera configuration", ...schema }, null, 2)}\n`;
}

if (import.meta.main) {
  Deno.writeTextFileSync(new URL("../config.schema.json", import.meta.url), configJsonSchema());
}
