import type { FormatName } from "../../canonical/mod.ts";
import { listedModel, listIn, type ModelListing, modelPage } from "../../formats/models.ts";
import { objectOf, objectsOf, textOf } from "../../formats/wire_value.ts";
import type { Surface, UpstreamRecord } from "../../store/catalog/mod.ts";

/** The list of a surface, if it differs from that of its format. */
interface SurfaceListing {
  /** The base URL of the list, from that of a format. */
  readonly base: (endpoint: string) => string;
  readonly listing: ModelListing;
}

/** The list of an upstream's surface; undefined if it is that of the format. */
export function surfaceListing(
  { cloud, endpoints }: Pick<UpstreamRecord, "cloud" | "endpoints">,
  format: FormatName,
): { readonly baseUrl: string; readonly listing: ModelListing } | undefined {
  const own = cloud && listings[cloud.surface];
  const endpoint = endpoints[format];
  if (!own || endpoint === undefined) return undefined;
  return { baseUrl: own.base(endpoint), listing: own.listing };
}

/** The profiles, which newer models are called by, then the models that are called by their own ids. */
const bedrockListing: ModelListing = {
  path(next) {
    if (next === modelsNext) return "/foundation-models?byOutputModality=TEXT";
    const page = next === undefined ? "" : `&nextToken=${encodeURIComponent(next)}`;
    return `/inference-profiles?maxResults=1000${page}`;
  },
  decode(body) {
    const { inferenceProfileSummaries: profiles, modelSummaries: models, nextToken } = objectOf(
      body,
    );
    if (Array.isArray(models)) {
      return modelPage(objectsOf(models).filter(isOnDemand).map(bedrockModel), undefined);
    }
    const rows = objectsOf(listIn(profiles)).map(bedrockProfile);
    return modelPage(rows.filter(isServed), textOf(nextToken) || modelsNext);
  },
};

const modelsNext = "models";

/** Other vendors' models speak formats that only Converse serves. */
function isServed({ id }: { readonly id: string }): boolean {
  return /(^|[./])(anthropic|openai|xai)\.|^arn:/.test(id);
}

function isOnDemand(row: Readonly<Record<string, unknown>>): boolean {
  const { inferenceTypesSupported: types } = row;
  const isCallable = !Array.isArray(types) || types.includes("ON_DEMAND");
  return isCallable && isServed({ id: textOf(row.modelId) });
}

function bedrockModel(row: Readonly<Record<string, unknown>>) {
  return named(textOf(row.modelId), textOf(row.modelName));
}

function bedrockProfile(row: Readonly<Record<string, unknown>>) {
  const id = row.type === "APPLICATION" ? row.inferenceProfileArn : row.inferenceProfileId;
  return named(textOf(id), textOf(row.inferenceProfileName));
}

function named(id: string, displayName: string) {
  return listedModel({ id, displayName, contextWindow: 0, maxOutputTokens: 0 });
}

/** Google's own models; those of other publishers have no list. */
const vertexListing: ModelListing = {
  path: (next) =>
    `/v1beta1/publishers/google/models${next ? `?pageToken=${encodeURIComponent(next)}` : ""}`,
  decode(body) {
    const { publisherModels, nextPageToken } = objectOf(body);
    const ids = objectsOf(listIn(publisherModels)).map(({ name }) =>
      textOf(name).replace(/^publishers\/google\/models\//, "")
    );
    const gemini = ids.filter((id) => id.startsWith("gemini-"));
    return modelPage(gemini.map((id) => named(id, "")), nextPageToken);
  },
};

/** The control plane has a host of its own. */
const controlPlane = (endpoint: string) =>
  originOf(endpoint).replace("//bedrock-runtime.", "//bedrock.");

function originOf(endpoint: string): string {
  return new URL(endpoint).origin;
}

const bedrock = { base: controlPlane, listing: bedrockListing };

const listings: Readonly<Partial<Record<Surface, SurfaceListing>>> = {
  bedrock,
  "bedrock-invoke": bedrock,
  vertex: { base: originOf, listing: vertexListing },
};
