import { z } from "zod";
import { surfaces } from "../store/catalog/mod.ts";
import { fieldListOf, must, strict } from "./fields.ts";

/** Parts of host names and paths: neither dots of other hosts nor slashes. */
const regionField = text(/^[a-z0-9-]{1,40}$/, "a region such as eu-central-1");
const locationField = text(/^[a-z0-9-]{1,40}$/, "a location such as global or europe-west1");
const projectField = text(/^[a-z0-9][a-z0-9.:-]{0,99}$/, "the id of a project of Google Cloud");

/** An id or ARN, and a version: the parts of two headers. */
const guardrail =
  /^(arn:aws[\w-]*:bedrock:[a-z0-9-]+:\d{12}:guardrail\/)?[a-z0-9-]{1,64}:(DRAFT|[1-9]\d{0,7})$/;

/** The cloud that serves an upstream. */
export const cloudField = strict({
  surface: z.enum(surfaces, must(`one of ${surfaces.join(", ")}`))
    .describe("The surface, which decides addresses, bodies and errors"),
  region: regionField.optional().describe("Region of AWS, such as eu-central-1"),
  project: projectField.optional().describe("Id of the Google Cloud project"),
  location: locationField.optional()
    .describe("Location of Vertex AI, such as eu or europe-west1 (global)"),
  workspaceId: text(/^[\w-]{1,100}$/, "a workspace such as wrkspc_01AbCd").optional()
    .describe("Workspace of Claude Platform on AWS"),
  apiVersion: text(/^[\w.-]{1,40}$/, "a version such as 2024-10-21").optional()
    .describe("Dated version of Azure OpenAI; absent: v1, which needs none"),
  betas: fieldListOf(text(/^[\w.-]{1,100}\*?$/, "the name of a beta feature"), "beta features")
    .optional().describe(
      "Beta features that are sent on, * ends a prefix; absent: those that the surface is known to accept",
    ),
  messagesVersion: text(/^[\w.-]{1,60}$/, "a version such as bedrock-2023-05-31").optional()
    .describe("anthropic_version of bodies, if it differs from the surface's usual one"),
  guardrail: text(guardrail, "a guardrail and its version, such as gr-1a2b3c:1").optional()
    .describe("Guardrail of Bedrock and its version, on the surface bedrock-invoke"),
}).refine(({ surface, guardrail }) => guardrail === undefined || surface === "bedrock-invoke", {
  path: ["guardrail"],
  error: "must be on the surface bedrock-invoke, which alone is known to apply it",
});

function text(pattern: RegExp, what: string) {
  return z.string(must(what)).trim().regex(pattern, must(what));
}
