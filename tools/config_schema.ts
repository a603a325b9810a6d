import { z } from "zod";
import { priceParts, priceSchema } from "../lib/config/price.ts";
import { budgetSchema, fileSchema } from "../lib/config/schema.ts";

/** The parts that several members have; each is described once. */
const parts: Readonly<Record<string, z.core.$ZodType>> = {
  price: priceSchema,
  ...priceParts,
  budget: budgetSchema,
};
const names = new Map(Object.entries(parts).map(([name, schema]) => [schema, name]));

/** The JSON schema of the configuration file. Editors use it for completion and checks. */
export function configJsonSchema(): string {
  const described = Object.entries(parts).map(([name, schema]) => {
    const { $schema: _, ...part } = jsonSchemaOf(schema);
    return [name, part];
  });
  const file = jsonSchemaOf(fileSchema);
  const schema = {
    title: "Tessera configuration",
    ...file,
    $defs: { ...file.$defs, ...Object.fromEntries(described) },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function jsonSchemaOf(whole: z.core.$ZodType) {
  return z.toJSONSchema(whole, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const name = names.get(zodSchema);
      if (name === undefined || zodSchema === whole) return;
      for (const member of Object.keys(jsonSchema)) delete jsonSchema[member];
      jsonSchema.$ref = `#/$defs/${name}`;
    },
  });
}

if (import.meta.main) {
  Deno.writeTextFileSync(new URL("../config.schema.json", import.meta.url), configJsonSchema());
}
