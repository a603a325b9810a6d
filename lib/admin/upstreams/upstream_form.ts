import { type FormatName, formatNames, isModelPattern } from "../../canonical/mod.ts";
import type { Cloud, UpstreamModel, UpstreamRecord } from "../../store/catalog/mod.ts";
import { AddressError, type AddressRule, assertUpstreamAddress } from "../../upstreams/mod.ts";
import { presetEndpoints, presetNamed } from "../../upstreams/presets/mod.ts";
import { checkedCredential, misplacedCredential } from "../../upstreams/credentials/mod.ts";
import { surfaceEndpoints, surfaceModels } from "../../upstreams/surfaces/mod.ts";
import type { FormFaults } from "../fault_text.ts";
import type { FaultCode } from "../faults.ts";
import { costsText, readCosts } from "./upstream_costs.ts";
import {
  cloudFaults,
  cloudFields,
  cloudOf,
  cloudValues,
  credentialsIn,
  movedEndpoints,
} from "./upstream_cloud_form.ts";
import { isPriority, isWeight } from "./upstream_order.ts";
import {
  areKeys,
  wireFaults,
  wireFields,
  wireOf,
  wireValues,
  withoutWire,
} from "./upstream_wire_form.ts";

const upstreamFields = [
  "id",
  "preset",
  "baseUrl",
  ...formatNames,
  "credentials",
  "models",
  "groups",
  "priority",
  "weight",
  "costs",
  ...cloudFields,
  ...wireFields,
] as const;
export type UpstreamField = typeof upstreamFields[number];
export type UpstreamValues = Readonly<Record<UpstreamField, string>>;

export type UpstreamFaults = FormFaults<UpstreamField, FaultCode<"upstream">>;

type UpstreamFormResult =
  | { readonly type: "valid"; readonly upstream: UpstreamRecord }
  | { readonly type: "invalid"; readonly faults: UpstreamFaults };

const textLengthMax = 1_000_000;
/** Maximum number of models and patterns of one upstream. */
export const upstreamModelsMax = 5_000;

export function readUpstreamForm(form: URLSearchParams): UpstreamValues {
  const values = upstreamFields.map((field) => [
    field,
    (form.get(field) ?? "").trim().slice(0, textLengthMax),
  ]);
  return Object.fromEntries(values) as UpstreamValues; // one for each field
}

/** The form's values for an upstream, without its credentials; absent: for a new upstream. */
export function upstreamValues(upstream?: UpstreamRecord): UpstreamValues {
  const { id = "", preset = "", endpoints = {}, models = [], groups = ["*"] } = upstream ?? {};
  const addresses = formatNames.map((name) => [name, endpoints[name] ?? ""]);
  return {
    id,
    preset,
    baseUrl: "",
    ...Object.fromEntries(addresses) as Record<FormatName, string>, // one for each format
    credentials: "",
    models: models.map(modelLine).join("\n"),
    groups: groups.join("\n"),
    priority: String(upstream?.priority ?? 0),
    weight: String(upstream?.weight ?? 1),
    costs: costsText(upstream?.costs),
    ...cloudValues(upstream?.cloud),
    ...wireValues(upstream),
  };
}

export function modelLine({ id, upstreamModel }: UpstreamModel): string {
  return upstreamModel === undefined ? id : `${id} = ${upstreamModel}`;
}

/**
 * Parses and checks the form, and resolves host names. `current` is the upstream to change; absent
 * for a new one.
 */
export async function upstreamOf(
  values: UpstreamValues,
  { current, groupIds, rule }: {
    readonly current?: UpstreamRecord;
    readonly groupIds: readonly string[];
    readonly rule: AddressRule;
  },
): Promise<UpstreamFormResult> {
  const preset = presetNamed(current?.preset ?? (values.preset || undefined));
  const cloud = cloudOf(values);
  const given = credentialsIn(values.credentials);
  const entered: Entered = {
    preset,
    cloud,
    endpoints: endpointsOf(values, { preset, cloud, former: current?.cloud }),
    credentials: current && given.length === 0 ? current.credentials : given,
    models: linesOf(values.models).map(readModel),
    groups: linesOf(values.groups),
    costs: readCosts(values.costs),
  };
  const { endpoints, credentials, models, groups, costs } = entered;
  const faults = {
    ...(!current && newFaults(values, entered)),
    ...listFaults(entered, groupIds),
    ...orderFaults(values),
    ...costFaults(entered),
    ...placeFaults(values, entered),
    ...wireFaults(values),
    ...await addressFaults(values, { endpoints, rule }),
  };
  if (Object.keys(faults).length > 0) return { type: "invalid", faults };
  const known = cloud
    ? surfaceModels(cloud)
    : (preset?.models ?? ["*"]).map((id): UpstreamModel => ({ id }));
  return {
    type: "valid",
    upstream: {
      ...base(values, current, preset?.auth),
      ...(cloud && { cloud }),
      endpoints,
      credentials,
      models: models.length > 0 ? models.filter((one) => one !== undefined) : known,
      groups,
      priority: Number(values.priority),
      weight: Number(values.weight),
      ...(costs.type === "valid" && costs.costs && { costs: costs.costs }),
    },
  };
}

/** The parsed form. */
interface Entered {
  readonly preset: ReturnType<typeof presetNamed>;
  readonly cloud: Cloud | undefined;
  readonly endpoints: UpstreamRecord["endpoints"];
  readonly credentials: readonly string[];
  /** One entry per line; undefined for an invalid line. */
  readonly models: readonly (UpstreamModel | undefined)[];
  readonly groups: readonly string[];
  readonly costs: ReturnType<typeof readCosts>;
}

/** The faults that only a new upstream can have. */
function newFaults(
  values: UpstreamValues,
  { preset, cloud, credentials }: Entered,
): UpstreamFaults {
  const isOwnAddress = values.baseUrl !== "" || formatNames.some((name) => values[name] !== "");
  const lacksKey = (cloud || preset?.needsKey && !isOwnAddress) && credentials.length === 0;
  return {
    ...(!/^[A-Za-z0-9][\w.-]{0,63}$/.test(values.id) && { id: "id" }),
    ...(values.preset !== "" && (!preset || cloud) && { preset: "preset" }),
    ...(lacksKey && { credentials: "key" }),
  };
}

function listFaults(
  { endpoints, credentials, models, groups }: Entered,
  groupIds: readonly string[],
): UpstreamFaults {
  const areModels = models.length <= upstreamModelsMax && models.every((one) => one !== undefined);
  const areGroups = groups.length > 0 &&
    groups.every((one) => one === "*" || groupIds.includes(one));
  return {
    ...(Object.keys(endpoints).length === 0 && { baseUrl: "address" }),
    ...credentialFaults(credentials),
    ...(!areModels && { models: "models" }),
    ...(!areGroups && { groups: "groups" }),
  };
}

/** The reason is shown for a source; it holds no value of it. */
function credentialFaults(credentials: readonly string[]): UpstreamFaults {
  if (areKeys(credentials)) return {};
  const wrong = credentials.filter((one) => one.startsWith("{")).map(checkedCredential)
    .find((checked) => "fault" in checked);
  return { credentials: wrong && "fault" in wrong ? ["source", wrong.fault] : "credentials" };
}

/** Wrong places, or credentials that no right one can use. */
function placeFaults(values: UpstreamValues, entered: Entered): UpstreamFaults {
  const faults = cloudFaults(values);
  const misplaced = misplacedCredential(entered.credentials, entered.cloud);
  return Object.keys(faults).length > 0 || misplaced === undefined
    ? faults
    : { credentials: ["source", misplaced] };
}

function orderFaults({ priority, weight }: UpstreamValues): UpstreamFaults {
  return {
    ...(!isPriority(priority) && { priority: "whole" }),
    ...(!isWeight(weight) && { weight: "weight" }),
  };
}

function costFaults({ costs }: Entered): UpstreamFaults {
  return costs.type === "valid" ? {} : { costs: ["costs", costs.problem] };
}

/** The unchanged fields of an upstream, or the initial ones of a new one, with its wire settings. */
function base(
  values: UpstreamValues,
  current: UpstreamRecord | undefined,
  presetAuth: UpstreamRecord["auth"],
) {
  if (current) {
    const { costs: _, ...kept } = withoutWire(current);
    return { ...kept, ...wireOf(values, current) };
  }
  const { id, preset } = values;
  return {
    id,
    enabled: true,
    origin: "console" as const,
    ...(preset !== "" && { preset }),
    ...(presetAuth && { auth: presetAuth }),
    ...wireOf(values),
  };
}

function endpointsOf(
  values: UpstreamValues,
  { preset, cloud, former }: Pick<Entered, "preset" | "cloud"> & {
    readonly former: Cloud | undefined;
  },
): UpstreamRecord["endpoints"] {
  const entered = formatNames.flatMap((name) => {
    const url = values[name].replace(/\/+$/, "");
    return url === "" ? [] : [[name, url]];
  });
  if (entered.length > 0) {
    const endpoints = Object.fromEntries(entered);
    return cloud ? movedEndpoints(endpoints, { cloud, former }) : endpoints;
  }
  const own = values.baseUrl.replace(/\/+$/, "") || undefined;
  if (cloud) return surfaceEndpoints(cloud, own);
  const address = own ?? preset?.baseUrl;
  if (address === undefined) return {};
  return preset ? presetEndpoints(preset, address) : { "chat-completions": address };
}

/** The field that an address came from: the URL typed last, else the preset. */
export function addressField(values: UpstreamValues, format: FormatName): UpstreamField {
  if (values[format] !== "") return format;
  if (values.surface !== "" && values.baseUrl === "") return "surface";
  return values.baseUrl !== "" || values.preset === "" ? "baseUrl" : "preset";
}

async function addressFaults(
  values: UpstreamValues,
  { endpoints, rule }: {
    readonly endpoints: UpstreamRecord["endpoints"];
    readonly rule: AddressRule;
  },
): Promise<UpstreamFaults> {
  const faults = await Promise.all(formatNames.map(async (name) => {
    const url = endpoints[name];
    const error = url === undefined ? undefined : await addressError(url, rule);
    if (url === undefined || error === undefined) return [];
    const field = addressField(values, name);
    return error.isUnknown
      ? Object.entries(unknownHost(url, field))
      : [[field, ["refused", error.message]]];
  }));
  return Object.fromEntries(faults.flat());
}

/** The fault of a host name that does not resolve, at the field that contains it. */
export function unknownHost(url: string, field: UpstreamField): UpstreamFaults {
  const host = URL.parse(url)?.hostname ?? url;
  return { [field]: [isTyped(field) ? "host" : "presetHost", host] };
}

function isTyped(field: UpstreamField): boolean {
  return field !== "preset" && field !== "surface";
}

async function addressError(url: string, rule: AddressRule): Promise<AddressError | undefined> {
  try {
    await assertUpstreamAddress(url, rule);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error;
    throw error;
  }
}

function readModel(line: string): UpstreamModel | undefined {
  const [id, upstreamModel, ...more] = line.split("=").map((part) => part.trim());
  const names = upstreamModel === undefined ? [id] : [id, upstreamModel];
  if (more.length > 0 || names.some((name) => !isModelPattern(name))) return undefined;
  return upstreamModel === undefined ? { id } : { id, upstreamModel };
}

function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line))];
}
