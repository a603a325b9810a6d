import { readAws } from "./aws.ts";
import { readAzure, readFoundry } from "./azure.ts";
import type { CloudFields, Place } from "./cloud_fields.ts";
import { readVertex } from "./google.ts";

/** Reads a deployment by the rest of `model`; a text says why it cannot be served here. */
type CloudReader = (model: string, fields: CloudFields) => Place | string;

/** The clouds by the provider's name in LiteLLM's `model`. */
const readers = {
  bedrock: readAws,
  bedrock_converse: readAws,
  bedrock_mantle: (model, fields) => readAws(`mantle/${model}`, fields),
  vertex_ai: readVertex,
  vertex_ai_beta: readVertex,
  azure: readAzure,
  azure_ai: readFoundry,
} as const satisfies Record<string, CloudReader>;

/** The reader of a provider's deployments; undefined if it is not a cloud. */
export function cloudReader(provider: string): CloudReader | undefined {
  return Object.hasOwn(readers, provider)
    ? readers[provider as keyof typeof readers] // sound: it is a key of the table
    : undefined;
}
