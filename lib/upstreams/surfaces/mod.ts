import type { Surface, UpstreamRecord } from "../../store/catalog/mod.ts";

/** What a signature of AWS's requests names (Signature Version 4). */
export interface Signing {
  readonly service: string;
  readonly region: string;
}

const services: Readonly<Partial<Record<Surface, string>>> = {
  bedrock: "bedrock",
  "bedrock-invoke": "bedrock",
  "bedrock-mantle": "bedrock-mantle",
  "claude-on-aws": "aws-external-anthropic",
};

/** The service and region that sign an upstream's requests; undefined if AWS does not serve it. */
export function signingOf({ cloud }: Pick<UpstreamRecord, "cloud">): Signing | undefined {
  const service = cloud && services[cloud.surface];
  if (service === undefined || cloud?.region === undefined) return undefined;
  return { service, region: cloud.region };
}

const audiences: Readonly<Partial<Record<Surface, string>>> = {
  "azure-openai": "https://cognitiveservices.azure.com/.default",
  foundry: "https://ai.azure.com/.default",
};

/** The scope of Entra's tokens for an upstream; undefined if Azure does not serve it. */
export function audienceOf({ cloud }: Pick<UpstreamRecord, "cloud">): string | undefined {
  return cloud && audiences[cloud.surface];
}
