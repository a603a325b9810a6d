import type { CanonicalRequest } from "../../../lib/canonical/mod.ts";

/** A request that asks for nothing. */
export const bareRequest: CanonicalRequest = {
  model: "m",
  stream: true,
  instructions: [],
  turns: [],
  tools: [],
  sampling: {},
  limits: {},
};
