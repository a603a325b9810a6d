import type { FormatName } from "../../canonical/mod.ts";
import type {
  Cloud,
  UpstreamAuth,
  UpstreamModel,
  UpstreamRecord,
} from "../../store/catalog/mod.ts";
import { type SurfaceRow, surfaceTable } from "./table.ts";

export { surfaceTable } from "./table.ts";

/** The service and region in a signature of AWS (Signature Version 4). */
export interface Signing {
  readonly service: string;
  readonly region: string;
}

type Clouded = Pick<UpstreamRecord, "cloud">;

/** The service and region that sign an upstream's requests; undefined if AWS does not serve it. */
export function signingOf({ cloud }: Clouded): Signing | undefined {
  const service = cloud && surfaceTable[cloud.surface].service;
  if (service === undefined || cloud?.region === undefined) return undefined;
  return { service, region: cloud.region };
}

/** The scope of Entra's tokens for an upstream; undefined if Azure does not serve it. */
export function audienceOf({ cloud }: Clouded): string | undefined {
  return cloud && surfaceTable[cloud.surface].audience;
}

/** The facts about an upstream's surface; undefined if no cloud serves it. */
export function surfaceOf({ cloud }: Clouded): SurfaceRow | undefined {
  return cloud && surfaceTable[cloud.surface];
}

/** The members that a cloud still needs; empty if it can be called. */
export function missingOf(cloud: Cloud): readonly (keyof Cloud)[] {
  if (isExpress(cloud)) return [];
  return surfaceTable[cloud.surface].needs.filter((name) => cloud[name] === undefined);
}

/** Vertex AI without a project: Gemini alone, with an API key. */
function isExpress({ surface, project }: Cloud): boolean {
  return surface === "vertex" && project === undefined;
}

/** The base URL of each format of a cloud; none without `baseUrl` if every customer has another one. */
export function surfaceEndpoints(
  cloud: Cloud,
  baseUrl: string | undefined = surfaceTable[cloud.surface].baseUrl,
): UpstreamRecord["endpoints"] {
  if (baseUrl === undefined) return {};
  const root = filled(baseUrl, cloud);
  return Object.fromEntries(
    Object.entries(pathsOf(cloud)).map(([format, path]) => [format, root + filled(path, cloud)]),
  );
}

function pathsOf(cloud: Cloud): SurfaceRow["paths"] {
  if (isExpress(cloud)) return { "generate-content": "/v1beta1/publishers/google" };
  if (hasDeployments(cloud)) return { "chat-completions": "/openai", responses: "/openai" };
  return surfaceTable[cloud.surface].paths;
}

/** Returns true for the older addresses of Azure OpenAI, with the deployment in the path. */
export function hasDeployments({ surface, apiVersion = "" }: Cloud): boolean {
  return surface === "azure-openai" && /^\d{4}-/.test(apiVersion);
}

function filled(template: string, cloud: Cloud): string {
  const { region = "", project = "", location = anywhere } = cloud;
  const values: Readonly<Record<string, string>> = {
    region,
    project,
    location,
    host: vertexHost(cloud),
  };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

/** The location of Vertex AI without a place. */
const anywhere = "global";

function vertexHost({ location = anywhere, project }: Cloud): string {
  if (location === anywhere || project === undefined) return "aiplatform.googleapis.com";
  return location.includes("-")
    ? `${location}-aiplatform.googleapis.com`
    : `aiplatform.${location}.rep.googleapis.com`;
}

/** The models of a cloud for which none are configured. */
export function surfaceModels(cloud: Cloud): readonly UpstreamModel[] {
  return surfaceTable[cloud.surface].models.map(({ id, upstreamModel }) => ({
    id,
    ...(upstreamModel !== undefined &&
      { upstreamModel: upstreamModel.replace("{area}", areaOf(cloud.region)) }),
  }));
}

/** The prefixes of Bedrock's profiles by region; every other region has only the one of the world. */
const areas: readonly (readonly [RegExp, string])[] = [
  [/^us-gov-/, "us-gov."],
  [/^us-/, "us."],
  [/^eu-/, "eu."],
  [/^ap-northeast-[13]$/, "jp."],
  [/^ap-southeast-[246]$/, "au."],
  [/^ap-/, "apac."],
];

function areaOf(region = ""): string {
  return areas.find(([pattern]) => pattern.test(region))?.[1] ?? "global.";
}

/** Returns true if a format of an upstream serves a model, by its name there. */
export function speaks(upstream: Clouded, format: FormatName, model: string): boolean {
  const rows = surfaceOf(upstream)?.speaks;
  const formats = rows?.find(([pattern]) => pattern.test(model))?.[1];
  return formats === undefined || formats.includes(format);
}

/** The header of a static credential, if the surface differs from the format. */
export function surfaceAuth({ cloud }: Clouded): UpstreamAuth | undefined {
  return cloud && !isExpress(cloud) ? surfaceTable[cloud.surface].auth : undefined;
}

/** Headers of every call to an upstream's surface. */
export function surfaceHeaders({ cloud }: Clouded): Readonly<Record<string, string>> {
  const { workspaceId, guardrail = "" } = cloud ?? {};
  const [, id, version] = /^(.+):([^:]+)$/.exec(guardrail) ?? [];
  return {
    ...(workspaceId !== undefined && { "anthropic-workspace-id": workspaceId }),
    ...(id !== undefined && version !== undefined && {
      "x-amzn-bedrock-guardrailidentifier": id,
      "x-amzn-bedrock-guardrailversion": version,
    }),
  };
}

/**
 * The region that a call's price depends on, by the profile in the model's name, else by the place
 * of the endpoint; `global` for the whole world. Undefined if the surface has no regional prices.
 */
export function priceRegion(upstream: Clouded, model: string): string | undefined {
  const { cloud } = upstream;
  if (!cloud || !surfaceTable[cloud.surface].isRegional) return undefined;
  if (cloud.surface === "vertex") return cloud.location ?? anywhere;
  return /(?:^|\/)([a-z-]+)\.anthropic\./.exec(model)?.[1] ?? cloud.region;
}
