import type { OutputFormat } from "../../canonical/mod.ts";

/**
 * The description of an answer's schema as an instruction, for a target that has no place for it
 * beside the schema; undefined if the schema already has it.
 */
export function descriptionInstruction(output: OutputFormat | undefined): string | undefined {
  if (output?.type !== "schema" || !output.description) return undefined;
  const { description, schema } = output;
  return schema.description === description
    ? undefined
    : `Description of the answer: ${description}`;
}
