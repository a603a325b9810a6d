import { upstreamValues } from "../../admin/upstreams/upstream_form.ts";
import { type Surface, surfaces } from "../../store/catalog/mod.ts";
import type { PageAuditContext } from "../session/state.ts";
import { addUpstream, type NewUpstream, readNewUpstream } from "./new_upstream.ts";

/** The fields of each way to sign in to a cloud; those of a secret are never shown again. */
export const signInFields = {
  key: ["apiKey"],
  aws: ["accessKeyId", "secretAccessKey", "roleArn", "externalId"],
  aws_web_identity: ["roleArn"],
  aws_machine: ["roleArn", "externalId"],
  google_file: ["json"],
  google_metadata: [],
  entra: ["tenantId", "clientId", "clientSecret"],
  entra_managed_identity: ["clientId"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A way to sign in to a cloud. */
export type SignIn = keyof typeof signInFields;
/** A field of a way to sign in. */
export type SignInField = typeof signInFields[SignIn][number];

const secretFields = ["apiKey", "secretAccessKey", "json", "clientSecret"] as const;

/** Returns true for a field whose value is a secret. */
export function isSecret(field: SignInField): boolean {
  return secretFields.some((secret) => secret === field);
}

/** The questions of a surface: its place, and the ways to sign in, the most common one first. */
interface SurfaceForm {
  readonly place: readonly CloudPlaceField[];
  readonly signIns: readonly SignIn[];
}

/** A field that says where a cloud serves the models. */
type CloudPlaceField =
  | "region"
  | "workspaceId"
  | "project"
  | "location"
  | "baseUrl"
  | "apiVersion";

const ofAws = ["key", "aws", "aws_machine", "aws_web_identity"] as const;
const ofGoogle = ["google_file", "google_metadata", "key"] as const;
const ofAzure = ["key", "entra", "entra_managed_identity"] as const;

export const surfaceForms: Readonly<Record<Surface, SurfaceForm>> = {
  bedrock: { place: ["region", "baseUrl"], signIns: ofAws },
  "bedrock-mantle": { place: ["region", "baseUrl"], signIns: ofAws },
  "bedrock-invoke": { place: ["region", "baseUrl"], signIns: ofAws },
  "claude-on-aws": { place: ["region", "workspaceId", "baseUrl"], signIns: ofAws },
  vertex: { place: ["project", "location", "baseUrl"], signIns: ofGoogle },
  "azure-openai": { place: ["baseUrl", "apiVersion"], signIns: ofAzure },
  foundry: { place: ["baseUrl"], signIns: ofAzure },
};

/** The data of the page that adds an upstream in a cloud. */
export interface CloudUpstream extends NewUpstream {
  readonly surface: Surface;
  readonly signIn: SignIn;
  /** The entered values about signing in, without secrets. */
  readonly entered: Readonly<Partial<Record<SignInField, string>>>;
}

/** The chosen surface and way to sign in; by default, the first ones. */
export function chosenCloud(
  chosen: URLSearchParams,
): Pick<CloudUpstream, "surface" | "signIn"> {
  const surface = surfaces.find((one) => one === chosen.get("surface")) ?? surfaces[0];
  const { signIns } = surfaceForms[surface];
  return { surface, signIn: signIns.find((one) => one === chosen.get("signIn")) ?? signIns[0] };
}

/** The page before anything is entered. */
export function emptyCloud(chosen: URLSearchParams): CloudUpstream {
  const cloud = chosenCloud(chosen);
  const values = { ...upstreamValues(), id: cloud.surface, surface: cloud.surface };
  return { ...cloud, values, entered: {}, faults: {}, kept: { sealed: "", count: 0 } };
}

type AddedCloud =
  | { readonly type: "added"; readonly id: string; readonly done: string }
  | { readonly type: "refused"; readonly shown: CloudUpstream };

/** Adds the upstream as the general form does; the first field shows the fault of its credential. */
export async function addCloudUpstream(
  form: URLSearchParams,
  ctx: PageAuditContext & { readonly req: Request },
): Promise<AddedCloud> {
  const cloud = chosenCloud(form);
  const fields: readonly SignInField[] = signInFields[cloud.signIn];
  const asked = await readNewUpstream(wholeForm(form, cloud), ctx.state);
  const result = await addUpstream(asked, ctx);
  if (result.type === "added") return result;
  const entered = fields.filter((field) => !isSecret(field))
    .map((field) => [field, form.get(field)?.trim() ?? ""]);
  return {
    type: "refused",
    shown: { ...result.shown, ...cloud, entered: Object.fromEntries(entered) },
  };
}

/** The general form of an upstream, from this one. */
function wholeForm(
  form: URLSearchParams,
  { surface, signIn }: Pick<CloudUpstream, "surface" | "signIn">,
): URLSearchParams {
  const own = ["id", "models", "kept", "intent", ...surfaceForms[surface].place];
  const given = own.map((name) => [name, form.get(name) ?? ""]);
  return new URLSearchParams({
    ...upstreamValues(),
    ...Object.fromEntries(given),
    surface,
    credentials: credentialOf(signIn, form),
  });
}

/** The entered credential; empty if its secret was not entered, and one of before is to be kept. */
function credentialOf(signIn: SignIn, form: URLSearchParams): string {
  const fields: readonly SignInField[] = signInFields[signIn];
  const secret = fields.find(isSecret);
  const given = Object.fromEntries(
    fields.map((field) => [field, form.get(field)?.trim() ?? ""]).filter(([, text]) => text !== ""),
  );
  if (secret !== undefined && given[secret] === undefined) return "";
  if (secret === "apiKey" || secret === "json") return given[secret];
  return JSON.stringify({ type: signIn, ...given });
}
