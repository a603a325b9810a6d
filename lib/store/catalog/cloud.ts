/** The surfaces on which clouds serve models: each has addresses, bodies and errors of its own. */
export const surfaces = [
  "bedrock",
  "bedrock-mantle",
  "bedrock-invoke",
  "claude-on-aws",
  "vertex",
  "azure-openai",
  "foundry",
] as const;

/** A surface of a cloud. */
export type Surface = typeof surfaces[number];

/** The surface and the place in which a cloud serves an upstream's models. */
export interface Cloud {
  readonly surface: Surface;
  /** A region of AWS, such as `eu-central-1`. */
  readonly region?: string;
  /** The id of a Google Cloud project. */
  readonly project?: string;
  /** A location of Vertex AI, such as `global`, `eu` or `europe-west1`; absent: `global`. */
  readonly location?: string;
  /** The workspace of Claude Platform on AWS. */
  readonly workspaceId?: string;
  /** A dated version of Azure OpenAI, such as `2024-10-21`; absent: v1, which has no dates. */
  readonly apiVersion?: string;
  /** Beta features that are sent on; `*` ends a prefix. Absent: those that the surface is known to accept. */
  readonly betas?: readonly string[];
  /** `anthropic_version` in the body, if it differs from the surface's usual one. */
  readonly messagesVersion?: string;
  /** A guardrail of Bedrock and its version, such as `gr-1a2b3c:1`, which InvokeModel applies. */
  readonly guardrail?: string;
}
