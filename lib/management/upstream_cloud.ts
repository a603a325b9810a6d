import { z } from "zod";
import { type CloudFormField, cloudValues } from "../admin/upstreams/upstream_cloud_form.ts";
import { type Cloud, surfaces } from "../store/catalog/mod.ts";
import { namedObject, snake } from "./http/schema.ts";

const text = z.string().max(200);

const members = {
  region: text.describe("A region of AWS, such as `eu-central-1`"),
  project: text.describe("The id of a Google Cloud project"),
  location: text.describe("A location of Vertex AI, such as `global` or `europe-west1`"),
  workspace_id: text.describe("The workspace of Claude Platform on AWS"),
  api_version: text.describe("A dated version of Azure OpenAI; absent: v1"),
  betas: z.array(text).max(100).describe("Beta features that are sent on; absent: the known ones"),
  messages_version: text.describe("`anthropic_version` of bodies, if not the surface's usual one"),
  guardrail: text.describe("A guardrail of Bedrock and its version, such as `gr-1a2b3c:1`"),
};

/** The cloud of an upstream in an answer. */
export const cloudAnswer = namedObject("Cloud", {
  surface: z.enum(surfaces),
  ...members,
}).partial().required({ surface: true });

/** The cloud of an upstream in a request; null removes a member. */
export const cloudInput = z.strictObject({
  surface: z.enum(surfaces),
  region: members.region.nullable(),
  project: members.project.nullable(),
  location: members.location.nullable(),
  workspace_id: members.workspace_id.nullable(),
  api_version: members.api_version.nullable(),
  betas: members.betas.nullable(),
  messages_version: members.messages_version.nullable(),
  guardrail: members.guardrail.nullable(),
}).partial();

export function cloudJson(cloud: Cloud | undefined): z.output<typeof cloudAnswer> | null {
  if (!cloud) return null;
  const entries = Object.entries(cloud).map(([name, value]) => [snake(name), value]);
  return Object.fromEntries(entries) as z.output<typeof cloudAnswer>; // the same members
}

/** The given members as the form writes them. */
export function cloudChange(
  change: z.output<typeof cloudInput> = {},
): Partial<Record<CloudFormField, string>> {
  const entries = Object.entries(change).map(([name, value]) => [
    fieldOf(name),
    Array.isArray(value) ? value.join(" ") : value ?? "",
  ]);
  return Object.fromEntries(entries);
}

/** The form's field of a member; `messages_version` is also the name of another field. */
function fieldOf(name: string): CloudFormField {
  const fields = Object.keys(cloudValues()) as CloudFormField[]; // its own keys
  return fields.find((field) => snake(field) === name) ?? "bodyVersion";
}

/** The parameter of a field in the request. */
export function cloudParam(field: string): string {
  return `cloud.${field === "bodyVersion" ? "messages_version" : snake(field)}`;
}
