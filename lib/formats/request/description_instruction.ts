import type { OutputFormat } from "../../canonical/mod.ts";

/**
 * The description of an answer's schema as an instruction, for a target without a member for it;
 * undefined if the schema already contains it.
 */
export function descriptionInstruction(output: OutputFormat | undefined): string | undefined {
  if (output?.type !== "schema" || !output.description) return undefined;
  const { description, schema } = output;
  return schema.description === description
    ? undefined
    : `Description of the answer: ${description}`;
}
