import { cloudField } from "../../config/cloud.ts";
import type { Cloud, UpstreamRecord } from "../../store/catalog/mod.ts";
import { checkedCredential } from "../../upstreams/credentials/mod.ts";
import { missingOf, surfaceEndpoints } from "../../upstreams/surfaces/mod.ts";
import type { FormFaults } from "../fault_text.ts";
import type { FaultCode } from "../faults.ts";

/** The member of `Cloud` for each field of the form. */
const members = {
  surface: "surface",
  region: "region",
  project: "project",
  location: "location",
  workspaceId: "workspaceId",
  apiVersion: "apiVersion",
  betas: "betas",
  bodyVersion: "messagesVersion",
  guardrail: "guardrail",
} as const satisfies Readonly<Record<string, keyof Cloud>>;

export const cloudFields = Object.keys(members) as readonly CloudFormField[]; // its own keys
export type CloudFormField = keyof typeof members;
type CloudValues = Readonly<Record<CloudFormField, string>>;

/** The form's values of the cloud that serves an upstream; empty if none does. */
export function cloudValues(cloud?: Cloud): CloudValues {
  const values = cloudFields.map((field) => [field, textOf(cloud?.[members[field]])]);
  return Object.fromEntries(values) as CloudValues; // one for each field
}

function textOf(value: Cloud[keyof Cloud] = ""): string {
  return typeof value === "string" ? value : value.join(" ");
}

/** The cloud of valid values; undefined if no cloud serves the upstream. */
export function cloudOf(values: CloudValues): Cloud | undefined {
  return values.surface === "" ? undefined : cloudField.safeParse(enteredIn(values)).data;
}

function enteredIn(values: CloudValues): Readonly<Record<string, string | readonly string[]>> {
  const entered = cloudFields.filter((field) => values[field] !== "").map((field) => [
    members[field],
    field === "betas" ? values.betas.split(/[\s,]+/) : values[field],
  ]);
  return Object.fromEntries(entered);
}

/** Values that no cloud has, and those that the surface cannot do without. */
export function cloudFaults(
  values: CloudValues,
): FormFaults<CloudFormField, FaultCode<"upstream">> {
  if (values.surface === "") return {};
  const { data, error } = cloudField.safeParse(enteredIn(values));
  const missing = data ? missingOf(data) : [];
  const wrong = error?.issues.map(({ path }) => path[0]) ?? [];
  const those = (found: readonly unknown[], code: "needed" | "cloud") =>
    cloudFields.filter((field) => found.includes(members[field])).map((field) => [field, code]);
  return Object.fromEntries([...those(missing, "needed"), ...those(wrong, "cloud")]);
}

/** The entered addresses, but those of the new place if an upstream moves within its cloud. */
export function movedEndpoints(
  entered: UpstreamRecord["endpoints"],
  { cloud, former }: { readonly cloud: Cloud; readonly former: Cloud | undefined },
): UpstreamRecord["endpoints"] {
  if (former === undefined || !isSame(entered, surfaceEndpoints(former))) return entered;
  return surfaceEndpoints(cloud);
}

function isSame(one: UpstreamRecord["endpoints"], other: UpstreamRecord["endpoints"]): boolean {
  const sorted = (endpoints: UpstreamRecord["endpoints"]) =>
    JSON.stringify(Object.entries(endpoints).sort());
  return sorted(one) === sorted(other);
}

/** Credentials of a form: one on each line, or one credential source as JSON of any number of lines. */
export function credentialsIn(text: string): readonly string[] {
  const checked = text.trimStart().startsWith("{") ? checkedCredential(text) : undefined;
  if (checked && "secret" in checked) return [checked.secret];
  const lines = text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "");
  return [...new Set(lines)];
}
