import { cloudField } from "../../../lib/config/cloud.ts";
import type { Surface } from "../../../lib/store/catalog/mod.ts";
import { cloudAddress } from "../cloud_address.ts";
import {
  type CloudFields,
  machineSignIn,
  type Place,
  type SignIn,
  sourceText,
} from "./cloud_fields.ts";

/** Our surface for each route of `bedrock/ROUTE/MODEL`; a text says why there is none. */
const routes: Readonly<Partial<Record<string, { readonly surface: Surface } | string>>> = {
  converse: { surface: "bedrock" },
  invoke: { surface: "bedrock-invoke" },
  mantle: { surface: "bedrock-mantle" },
  openai: { surface: "bedrock" },
  chat_completions: { surface: "bedrock" },
  claude_platform: { surface: "claude-on-aws" },
  converse_like: "Tessera does not speak Converse to other servers",
  agent: "it is an agent of Bedrock, not a model",
  agentcore: "it is an agent of Bedrock, not a model",
  async_invoke: "its answers go to a bucket of S3, which no caller reads",
};

const regionPart = /^((?:us-gov|[a-z]{2})-[a-z]+-\d)\/(.+)$/s;

/** The parts of `model`: `[route/][region/]id`. */
function partsOf(model: string) {
  const [, route = "", rest = model] = /^([a-z_]+)\/(.+)$/s.exec(model) ?? [];
  const isRoute = Object.hasOwn(routes, route);
  const [, region, id = isRoute ? rest : model] = regionPart.exec(isRoute ? rest : model) ?? [];
  return { route: isRoute ? route : "", region, id };
}

/** A model of Amazon Bedrock or of Claude Platform on AWS. */
export function readAws(model: string, fields: CloudFields): Place | string {
  const { route, region: written, id } = partsOf(model);
  const way = routes[route] ?? { surface: "bedrock" as const };
  if (typeof way === "string") return way;
  const own = fields.value("model_id") ?? id;
  const family = familyOf(id, fields);
  const guarded = family === "anthropic" && guardsIn(way.surface) ? guardrailIn(fields) : undefined;
  const surface = guarded === undefined ? way.surface : "bedrock-invoke";
  const refusal = refusalOf(surface, family);
  if (refusal !== undefined) return refusal;
  if (surface === "bedrock" && family === "anthropic") {
    fields.params.changed("model", "called by Bedrock's Messages instead of Converse");
  }
  const { bases = [], regions = [] } = variablesOf[surface] ?? {};
  const inModel = written ?? arnRegion(own) ?? arnRegion(id);
  const region = regionOf(fields, inModel, [...regions, "AWS_REGION_NAME", "AWS_REGION"]);
  return {
    provider: `${surface}-${region}`,
    address: cloudAddress(
      {
        ...{ surface, region },
        ...workspaceOf(surface, fields),
        ...(guarded !== undefined && { guardrail: guarded }),
      },
      fields.either(endpointFields, ...bases)?.replace(/(\/openai)?\/v1\/?$/, ""),
    ),
    model: own,
    signIn: { ...signInOf(surface, fields), ...(!guarded && leftGuardrail(fields)) },
  };
}

const endpointFields = ["aws_bedrock_runtime_endpoint", "api_base"];

interface SurfaceVariables {
  readonly keys: readonly string[];
  readonly bases?: readonly string[];
  readonly regions?: readonly string[];
}

const runtime: SurfaceVariables = {
  keys: ["AWS_BEARER_TOKEN_BEDROCK"],
  bases: ["AWS_BEDROCK_RUNTIME_ENDPOINT"],
};

/** The variables in which LiteLLM looks for what a deployment on a surface does not say. */
const variablesOf: Readonly<Partial<Record<Surface, SurfaceVariables>>> = {
  bedrock: runtime,
  "bedrock-invoke": runtime,
  "bedrock-mantle": {
    keys: ["BEDROCK_MANTLE_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"],
    bases: ["BEDROCK_MANTLE_API_BASE"],
    regions: ["BEDROCK_MANTLE_REGION"],
  },
  "claude-on-aws": { keys: ["ANTHROPIC_AWS_API_KEY"] },
};

/** The vendor before the dot: `us.anthropic.claude-opus-5`, also at the end of an ARN. */
function familyOf(id: string, { info }: CloudFields): string | undefined {
  const named = id.startsWith("arn:") ? id.slice(id.lastIndexOf("/") + 1) : id;
  const [, family] = familyPattern.exec(named) ?? [];
  if (family !== undefined || !id.startsWith("arn:")) return family;
  const base = info.text("base_model")?.replace(/^bedrock\/(.*\/)?/, "");
  return familyPattern.exec(base ?? "")?.[1];
}

const familyPattern = /^(?:(?:us-gov|us|eu|apac|jp|au|global)\.)?([a-z0-9]+)\./;

/** The reason a surface does not serve the models of a vendor in a format that we speak. */
function refusalOf(surface: Surface, family: string | undefined): string | undefined {
  if (surface === "claude-on-aws" || family === "anthropic") return undefined;
  if (surface === "bedrock-invoke") return "Tessera speaks InvokeModel with Claude only";
  if (surface === "bedrock-mantle" || family === "openai" || family === "xai") return undefined;
  return family === undefined
    ? "its id does not say which vendor made the model: set base_model"
    : `Bedrock serves models of ${family} by Converse, which Tessera does not speak`;
}

function arnRegion(id: string): string | undefined {
  return /^arn:[\w-]+:bedrock:([a-z0-9-]+):/.exec(id)?.[1];
}

/** Without any, LiteLLM calls `us-west-2`. */
function regionOf(
  fields: CloudFields,
  inModel: string | undefined,
  names: readonly string[],
): string {
  const named = fields.value("aws_region_name") ?? inModel ?? fields.either([], ...names);
  if (named !== undefined) return named;
  fields.params.changed("model", "in us-west-2, LiteLLM's region if none is set");
  return "us-west-2";
}

function workspaceOf(surface: Surface, fields: CloudFields) {
  const names = ["workspace_id", "aws_workspace_id", "anthropic_workspace_id"];
  if (surface !== "claude-on-aws") return {};
  const workspaceId = fields.either(names, "ANTHROPIC_AWS_WORKSPACE_ID", "ANTHROPIC_WORKSPACE_ID");
  return workspaceId === undefined ? {} : { workspaceId };
}

function guardsIn(surface: Surface): boolean {
  return surface === "bedrock" || surface === "bedrock-invoke";
}

/** The guardrail of a deployment, which InvokeModel applies. */
function guardrailIn({ params, variables }: CloudFields): string | undefined {
  const { guardrailIdentifier: id, guardrailVersion: version } = params.object("guardrailConfig") ??
    {};
  const guardrail = [id, version].map((one) => variables.resolve(String(one)).value).join(":");
  if (!cloudField.safeParse({ surface: "bedrock-invoke", guardrail }).success) return undefined;
  params.changed("guardrailConfig", "sent with InvokeModel, without a trace");
  return guardrail;
}

/** Calls without the guardrail would pass what it forbids, so the upstream stays disabled. */
function leftGuardrail({ params }: CloudFields): SignIn | undefined {
  if (params.object("guardrailConfig") === undefined) return undefined;
  params.unknown("guardrailConfig", "not for this model: the upstream is disabled");
  return { lacks: "LiteLLM applied a guardrail of Bedrock, which Tessera sends for Claude only" };
}

function signInOf(surface: Surface, fields: CloudFields): SignIn {
  fields.leave(["aws_session_tags"], "Tessera assumes a role without session tags");
  const apiKey = fields.value("api_key", ...variablesOf[surface]?.keys ?? []);
  if (apiKey === undefined) return identityOf(fields);
  fields.leave(identityFields, "the API key is used, as in LiteLLM");
  return { credential: apiKey };
}

const identityFields = [
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_session_token",
  "aws_role_name",
  "aws_session_name",
  "aws_external_id",
  "aws_sts_endpoint",
  "aws_web_identity_token",
  "aws_profile_name",
];

/** The identity that signs the requests, as LiteLLM and boto3 look for it. */
function identityOf(fields: CloudFields): SignIn {
  const roleArn = fields.value("aws_role_name", "AWS_ROLE_NAME");
  const roleSessionName = fields.value("aws_session_name", "AWS_SESSION_NAME");
  const stsEndpoint = fields.value("aws_sts_endpoint", "AWS_STS_ENDPOINT");
  const role = { roleArn, roleSessionName, stsEndpoint };
  const token = fields.value("aws_web_identity_token", "AWS_WEB_IDENTITY_TOKEN");
  if (token !== undefined) return webIdentity(token, role, fields);
  if (fields.value("aws_profile_name", "AWS_PROFILE_NAME") !== undefined) {
    fields.leave(["aws_profile_name"], "it names a section of a file on a workstation");
    return { lacks: "it signs in with a profile of AWS's own files" };
  }
  const externalId = fields.value("aws_external_id");
  const keys = keysOf(fields);
  if (keys) return { credential: sourceText({ type: "aws", ...keys, ...role, externalId }) };
  return machineSignIn({ type: "aws_machine", ...role, externalId });
}

function keysOf(fields: CloudFields) {
  const accessKeyId = fields.value("aws_access_key_id", "AWS_ACCESS_KEY_ID");
  const secretAccessKey = fields.value("aws_secret_access_key", "AWS_SECRET_ACCESS_KEY");
  const sessionToken = fields.value("aws_session_token", "AWS_SESSION_TOKEN");
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  if (sessionToken !== undefined) {
    fields.params.changed("aws_session_token", "it ends within hours: add lasting keys");
  }
  return { accessKeyId, secretAccessKey, sessionToken };
}

type Role = Readonly<Record<"roleArn" | "roleSessionName" | "stsEndpoint", string | undefined>>;

/** The token is in the file that the environment names; LiteLLM also fetches it from other places. */
function webIdentity(token: string, role: Role, fields: CloudFields): SignIn {
  const tokenFile = token.startsWith("/") ? token : /^oidc\/file\/(.+)$/s.exec(token)?.[1];
  if (role.roleArn !== undefined && tokenFile !== undefined) {
    fields.params.changed("aws_web_identity_token", "the file of AWS_WEB_IDENTITY_TOKEN_FILE");
    return machineSignIn({ type: "aws_web_identity", ...role });
  }
  fields.leave(["aws_web_identity_token"], "Tessera reads the token from a file");
  return { lacks: "its web identity token is in no file" };
}
