import { isModelPattern } from "../../../lib/canonical/mod.ts";
import type { UpstreamModel, UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import { usualTimeouts } from "../../../lib/store/mod.ts";
import { wrongPlace } from "../cloud_address.ts";
import {
  type FieldReport,
  isFields,
  leftOutWith,
  type SourceFields,
  SourceObject,
} from "../source_object.ts";
import { checkedCredential } from "../../../lib/upstreams/credentials/mod.ts";
import type { ResolvedValue, Variables } from "./config_file.ts";
import { type ModelFacts, readFacts } from "./model_facts.ts";
import { CloudFields, type Place, type SignIn } from "./cloud_fields.ts";
import { cloudReader } from "./clouds.ts";
import {
  addressOf,
  type DeploymentAddress,
  keyVariablesOf,
  needsNoKey,
  providerOf,
} from "./providers.ts";

/** One row of `model_list`: a model of one upstream. */
export interface Deployment {
  readonly provider: string;
  readonly address: DeploymentAddress;
  /** Absent for an upstream without a key. */
  readonly credential?: string;
  /** The variable whose value is missing, or the reason why there is no usable key. */
  readonly lacks?: string;
  readonly model: UpstreamModel;
  readonly priority: number;
  readonly weight: number;
  readonly timeouts: UpstreamRecord["timeouts"];
  readonly facts: ModelFacts;
  /** The names of the groups of models that it belongs to. */
  readonly accessGroups: readonly string[];
}

/** Everything that a row of `model_list` refers to. */
export interface DeploymentReading {
  /** The name of the list or table of the row. */
  readonly place: string;
  readonly report: FieldReport;
  readonly variables: Variables;
  /** Values of `credential_list` by name. */
  readonly credentials: ReadonlyMap<string, SourceFields>;
  /** The timeout of deployments without one of their own. */
  readonly totalMs?: number;
}

/** Reads a row of `model_list`; undefined if it cannot be served here. */
export function readDeployment(
  row: unknown,
  at: number,
  reading: DeploymentReading,
): Deployment | undefined {
  const fields = isFields(row) ? row : {};
  const name = typeof fields.model_name === "string" ? fields.model_name : `row ${at + 1}`;
  const entry = new SourceObject(fields, { place: reading.place, name }, reading.report);
  const params = paramsOf(entry, name, reading);
  const info = partOf(entry, "model_info", name, reading);
  const deployment = deploymentOf(entry, { params, info }, reading);
  entry.finish(rowReasons);
  params.finish(deployment ? paramReasons : leftOutWith(params, "its model"));
  info.finish(deployment ? infoReasons : leftOutWith(info, "its model"));
  return deployment;
}

/** The parameters of a deployment, with those of the credential that it names. */
function paramsOf(entry: SourceObject, name: string, reading: DeploymentReading): SourceObject {
  const own = entry.object("litellm_params") ?? {};
  const named = reading.credentials.get(String(own.litellm_credential_name)) ?? {};
  const owner = { place: `${reading.place}.litellm_params`, name };
  const params = new SourceObject({ ...named, ...own }, owner, reading.report);
  if (Object.keys(named).length > 0) params.text("litellm_credential_name");
  return params;
}

function partOf(
  entry: SourceObject,
  field: string,
  name: string,
  { place, report }: DeploymentReading,
) {
  const owner = { place: `${place}.${field}`, name };
  return new SourceObject(entry.object(field) ?? {}, owner, report);
}

interface Parts {
  readonly params: SourceObject;
  readonly info: SourceObject;
}

function deploymentOf(
  entry: SourceObject,
  { params, info }: Parts,
  { variables, totalMs = usualTimeouts.totalMs }: DeploymentReading,
): Deployment | undefined {
  const id = entry.text("model_name");
  const written = variables.resolve(params.text("model")).value;
  if (id === undefined || !isModelPattern(id)) {
    return entry.unknown("model_name", "a model's name has 1 to 200 characters without spaces");
  }
  if (written === undefined) return params.unknown("model", "the model is missing");
  if (entry.flag("blocked") === true) return entry.unknown("blocked", "left out: it is blocked");
  const base = variables.resolve(params.text("api_base") ?? params.text("base_url"));
  const custom = params.text("custom_llm_provider");
  const { provider, model } = providerOf(written, { custom, hasBase: base.value !== undefined });
  const place = cloudReader(provider)?.(model, new CloudFields(params, info, variables)) ??
    placeOf(provider, { model, base, params, variables });
  if (typeof place === "string") return params.unknown("model", place);
  const wrong = wrongPlace(place.address.cloud);
  if (wrong !== undefined) return params.unknown("model", wrong);
  const served = servedAs(id, place.model, params);
  if (!served) return undefined;
  return {
    provider: place.provider,
    address: place.address,
    ...checkedSignIn(place.signIn, params),
    model: served,
    ...orderOf(params),
    timeouts: { ...usualTimeouts, totalMs, ...timeoutsOf(params) },
    facts: readFacts(params, info),
    accessGroups: info.list("access_groups"),
  };
}

interface PlaceReading {
  readonly model: string;
  readonly base: ResolvedValue;
  readonly params: SourceObject;
  readonly variables: Variables;
}

/** The place of a model at a provider that is no cloud; a text says why it cannot be called. */
function placeOf(
  provider: string,
  { model, base, params, variables }: PlaceReading,
): Place | string {
  if (base.variable !== undefined && base.value === undefined) {
    return `the variable ${base.variable} of its api_base is not set`;
  }
  const address = addressOf(provider, base.value);
  if (typeof address === "string") return address;
  return { provider, address, model, signIn: signInOf(provider, params, variables) };
}

/** The public name and the upstream's own; `groq/*` calls Groq's `*`. */
function servedAs(id: string, model: string, params: SourceObject): UpstreamModel | undefined {
  const own = model.replace(/^models\//, "");
  const stars = [id, own].map((name) => name.split("*").length - 1);
  if (id === own || (id === "*" && own === "*")) return { id };
  if (own === "" || stars[1] > stars[0]) {
    return params.unknown("model", "one name cannot call many models");
  }
  if (stars[0] > 1) return params.unknown("model", "a pattern with two * cannot be rewritten");
  return { id, upstreamModel: own };
}

/** The key, or what is missing. */
function signInOf(provider: string, params: SourceObject, variables: Variables): SignIn {
  const names = keyVariablesOf(provider);
  const given = params.text("api_key");
  const found = given === undefined
    ? { value: names.map((name) => variables.get(name)).find((one) => one), variable: names[0] }
    : variables.resolve(given);
  if (found.value !== undefined) return { credential: found.value };
  if (needsNoKey(provider) && given === undefined) return {};
  if (given !== undefined) params.unknown("api_key", "its variable is not set");
  return { lacks: found.variable === undefined ? "no key" : `${found.variable} is not set` };
}

/** A credential that the upstream can carry, or what is missing. */
function checkedSignIn(signIn: SignIn, params: SourceObject): SignIn {
  if (signIn.credential === undefined) return signIn;
  const checked = checkedCredential(signIn.credential);
  if ("secret" in checked) return { ...signIn, credential: checked.secret };
  params.unknown("api_key", "it has characters that no header carries");
  return { lacks: "no usable key" };
}

function orderOf(params: SourceObject): Pick<Deployment, "priority" | "weight"> {
  const order = params.number("order");
  const weight = params.number("weight");
  if (order !== undefined) params.changed("order", "priority: a lower order is a higher priority");
  const whole = weight === undefined ? 1 : Math.min(999_999, Math.max(1, Math.round(weight)));
  if (weight !== undefined && whole !== weight) params.changed("weight", "a whole number from 1");
  return { priority: order === undefined ? 0 : -Math.round(order), weight: whole };
}

const timeoutFields = { timeout: "totalMs", stream_timeout: "firstByteMs" } as const;

function timeoutsOf(params: SourceObject): Partial<UpstreamRecord["timeouts"]> {
  const entries = Object.entries(timeoutFields).flatMap(([field, name]) => {
    const ms = timeoutOf(params, field);
    if (ms !== undefined && name === "firstByteMs") {
      params.changed(field, "the timeout of the first byte");
    }
    return ms === undefined ? [] : [[name, ms]];
  });
  return Object.fromEntries(entries);
}

/** A timeout in milliseconds; undefined if it is absent or impossible. */
export function timeoutOf(source: SourceObject, field: string): number | undefined {
  const seconds = source.number(field);
  if (seconds === undefined) return undefined;
  return seconds >= 0.1 && seconds <= 86_400
    ? Math.round(seconds * 1_000)
    : source.unknown(field, "a timeout has 0.1 to 86,400 seconds");
}

const rowReasons = {
  model_id: "an upstream has a name of its own here",
  created_at: "an upstream has no date",
  created_by: "the audit log names who imports",
  updated_at: "it only says when the row changed",
  updated_by: "it only says who changed the row",
} as const;

const ofCallers = "callers send it: an upstream adds nothing to requests";
const notHere = "Tessera has no such setting for an upstream";

const byTags = "Tessera does not route by tags: give groups upstreams of their own";

const paramReasons = {
  rpm: "an upstream has no limits here: set limits of groups, accounts or keys",
  tpm: "an upstream has no limits here: set limits of groups, accounts or keys",
  max_parallel_requests: "an upstream has no limits here: set limits of groups, accounts or keys",
  max_retries: "failover decides about retries",
  num_retries: "failover decides about retries",
  drop_params: "conversions leave out what an upstream does not know, and note it",
  extra_headers: notHere,
  headers: notHere,
  organization: notHere,
  extra_body: ofCallers,
  temperature: ofCallers,
  top_p: ofCallers,
  max_tokens: ofCallers,
  num_ctx: ofCallers,
  reasoning_effort: ofCallers,
  thinking: ofCallers,
  additional_drop_params: "conversions leave out what an upstream does not know, and note it",
  cache_control_injection_points: "Tessera sets cache breakpoints itself",
  vertex_count_tokens_location: "tokens are counted in the upstream's location",
  tags: byTags,
  tag_regex: byTags,
} as const;

const infoReasons = {
  id: "an upstream has a name of its own here",
  description: "a model has no description",
  mode: "the endpoint of the call decides",
  db_model: "it only says where LiteLLM keeps the row",
} as const;
