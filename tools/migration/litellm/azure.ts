import { cloudAddress } from "../cloud_address.ts";
import {
  type CloudFields,
  machineSignIn,
  type Place,
  type SignIn,
  sourceText,
} from "./cloud_fields.ts";
import { addressOf, type DeploymentAddress } from "./providers.ts";

/** A deployment of Azure OpenAI. */
export function readAzure(model: string, fields: CloudFields): Place | string {
  const base = addressField(fields, ["AZURE_API_BASE"]);
  if (base === undefined) return noBase(fields);
  if (model.startsWith("speech/")) return "Azure's speech service has an API of its own";
  const [, prefix] = /^(o_series|gpt5_series|responses)\//.exec(model) ?? [];
  const apiVersion = versionOf(base, fields);
  const signIn = signInOf(["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"], fields);
  const isPlain = signIn.type === "key" && apiVersion === undefined;
  const address = isPlain ? addressOf("azure", base) : cloudAddress(
    { surface: "azure-openai", ...(apiVersion && { apiVersion }) },
    base.replace(/\/openai(\/.*)?$/, ""),
  );
  if (typeof address === "string") return address;
  const { responses } = address.endpoints;
  const way = prefix === "responses" ? { ...address, endpoints: { responses } } : address;
  return placeOf("azure", prefix ? model.slice(prefix.length + 1) : model, way, signIn);
}

/** A model of Azure AI Foundry: Claude, or one in OpenAI's format. */
export function readFoundry(model: string, fields: CloudFields): Place | string {
  const base = addressField(fields, ["AZURE_AI_API_BASE", "AZURE_API_BASE"]);
  if (base === undefined) return noBase(fields);
  const host = URL.parse(base)?.hostname ?? "";
  if (!ownHosts.test(host)) return "its address is not one of Azure AI Foundry";
  leaveVersion(fields);
  const isClaude = model.startsWith("claude");
  const surface = isClaude ? "foundry" : "azure-openai";
  const address = cloudAddress({ surface }, `https://${host}`);
  const signIn = signInOf(["AZURE_AI_API_KEY", "AZURE_API_KEY"], fields);
  return placeOf(isClaude ? "foundry-claude" : "foundry", model, address, signIn);
}

const ownHosts = /\.(openai|services\.ai|cognitiveservices)\.azure\.com$/;

function addressField(fields: CloudFields, names: readonly string[]): string | undefined {
  return fields.either(["api_base", "base_url"], ...names)?.replace(/\/+$/, "");
}

function noBase({ params }: CloudFields): string {
  const [, name] = /^os\.environ\/(.+)$/.exec(String(params.fields.api_base)) ?? [];
  return name === undefined
    ? "it needs api_base"
    : `the variable ${name} of its api_base is not set`;
}

/** Azure's own hosts serve v1, which has no dates; a proxy before them may know dated paths only. */
function versionOf(base: string, fields: CloudFields): string | undefined {
  const version = fields.value("api_version", "AZURE_API_VERSION");
  if (version === undefined || !/^\d{4}-/.test(version)) return undefined;
  if (!ownHosts.test(URL.parse(base)?.hostname ?? "")) return version;
  leaveVersion(fields);
  return undefined;
}

function leaveVersion({ params }: CloudFields): void {
  if (params.text("api_version") === undefined) return;
  params.changed("api_version", "left out: Azure's v1 API has no versions");
}

type AzureSignIn = SignIn & { readonly type: "key" | "token" | "source" | "none" };

function signInOf(names: readonly string[], fields: CloudFields): AzureSignIn {
  const key = fields.value("api_key", ...names);
  if (key !== undefined) {
    fields.leave(entraFields, "the API key is used, as in LiteLLM");
    return { type: "key", credential: key };
  }
  return clientOf(fields) ?? tokenOf(fields) ??
    { type: "none", ...missingKey(fields, names[names.length - 1]) };
}

const entraFields = ["tenant_id", "client_id", "client_secret", "azure_scope", "azure_ad_token"];

/** An application of Entra, with a secret or a federated token. */
function clientOf(fields: CloudFields): AzureSignIn | undefined {
  fields.leave(["azure_username", "azure_password"], "Tessera signs in as an application only");
  const tenantId = fields.value("tenant_id", "AZURE_TENANT_ID");
  const clientId = fields.value("client_id", "AZURE_CLIENT_ID");
  const clientSecret = fields.value("client_secret", "AZURE_CLIENT_SECRET");
  const federatedTokenFile = clientSecret === undefined
    ? fields.variables.get("AZURE_FEDERATED_TOKEN_FILE")
    : undefined;
  const scope = fields.value("azure_scope", "AZURE_SCOPE");
  const authority = fields.variables.get("AZURE_AUTHORITY_HOST");
  const proof = clientSecret ?? federatedTokenFile;
  if (tenantId === undefined || clientId === undefined || proof === undefined) return undefined;
  const source = { type: "entra", tenantId, clientId, clientSecret, scope, authority } as const;
  return {
    type: "source",
    ...(clientSecret ? { credential: sourceText(source) } : machineSignIn(source)),
  };
}

function tokenOf(fields: CloudFields): AzureSignIn | undefined {
  const token = fields.value("azure_ad_token", "AZURE_AD_TOKEN");
  if (token === undefined) return undefined;
  if (token.startsWith("oidc/")) {
    fields.leave(["azure_ad_token"], "Tessera fetches no tokens of other providers");
    return { type: "none", lacks: "its token comes from another provider" };
  }
  fields.params.changed("azure_ad_token", "it ends within an hour: add a key or an application");
  return { type: "token", credential: token };
}

function missingKey(fields: CloudFields, name: string): SignIn {
  const [, own] = /^os\.environ\/(.+)$/.exec(String(fields.params.fields.api_key)) ?? [];
  return { lacks: `${own ?? name} is not set` };
}

/** A token goes into another header than a key. */
function placeOf(
  kind: string,
  model: string,
  address: DeploymentAddress,
  { type, ...signIn }: AzureSignIn,
): Place {
  const auth = { header: "authorization", prefix: "Bearer " };
  return {
    provider: kind,
    address: type === "token" ? { ...address, auth } : address,
    model,
    signIn,
  };
}
