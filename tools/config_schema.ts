import { z } from "zod";
import { priceSchema } from "../lib/config/price.ts";
import { fileSchema } from "../lib/config/schema.ts";

/** The JSON schema of the configuration file. Editors use it for completion and checks. */
export function configJsonSchema(): string {
  const { $schema: _, ...price } = z.toJSONSchema(priceSchema, { io: "input" });
  const schema = z.toJSONSchema(fileSchema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema !== priceSchema) return; // it is long, and three members have it
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      jsonSchema.$ref = "#/$defs/price";
    },
  });
  const described = { title: "Tessera configuration", ...schema, $defs: { price } };
  return `${JSON.stringify(described, null, 2)}\n`;
}

if (import.meta.main) {
  Deno.writeTextFileSync(new URL("../config.schema.json", import.meta.url), configJsonSchema());
}
