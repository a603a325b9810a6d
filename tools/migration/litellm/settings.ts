import type { FieldReport } from "../field_report.ts";
import { isFields, type SourceFields, SourceObject } from "../source_object.ts";
import { timeoutOf } from "./deployments.ts";
import { readMasterKey } from "./master_key.ts";
import type { Variables } from "./variables.ts";

const failover =
  "Tessera fails over between the upstreams of one model: add the model to a second one";
const caching = "Tessera keeps no answers";
const callbacks = "Tessera writes its own log, metrics and OpenTelemetry";
const redis = "isolates share limits through the store, without Redis";
const health = "health and circuit breakers have their own thresholds";

/** Reasons why settings have no counterpart, by section. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  router_settings: {
    routing_strategy: "upstreams of one priority share calls by weight and health",
    fallbacks: failover,
    context_window_fallbacks: failover,
    content_policy_fallbacks: failover,
    default_fallbacks: failover,
    num_retries: "each healthy upstream is tried once",
    max_retries: "each healthy upstream is tried once",
    allowed_fails: health,
    cooldown_time: health,
    redis_host: redis,
    redis_port: redis,
    redis_password: redis,
    redis_url: redis,
    enable_pre_call_checks: "limits are checked before each call",
  },
  litellm_settings: {
    drop_params: "conversions leave out what an upstream does not know, and note it",
    fallbacks: failover,
    context_window_fallbacks: failover,
    default_fallbacks: failover,
    num_retries: "each healthy upstream is tried once",
    cache: caching,
    cache_params: caching,
    callbacks,
    success_callback: callbacks,
    failure_callback: callbacks,
    telemetry: "Tessera sends nothing home",
    max_budget: "no budget is for the whole gateway: set one for a group",
    budget_duration: "no budget is for the whole gateway: set one for a group",
  },
  general_settings: {
    database_url: "Tessera keeps everything in its own store",
    store_model_in_db: "upstreams are always in the store",
    alerting: "set alerts in the configuration of Tessera",
    alerting_threshold: "set alerts in the configuration of Tessera",
    pass_through_endpoints: "Tessera serves known endpoints only",
    allowed_ips: "set addresses for each key",
  },
};

/** Facts about routing and keys. */
export interface RouterFacts {
  readonly aliases: ReadonlyMap<string, string>;
  /** The key of LiteLLM's administrator, if it is a safe key here. */
  readonly masterKey?: string;
  /** The timeout of all calls. */
  readonly totalMs?: number;
}

/** Sections that other readers account for. */
const readElsewhere = new Set(["model_list", "environment_variables"]);

/** Reads all sections but the models; reports each of their fields. */
export function readSettings(
  config: SourceFields,
  { report, variables }: { readonly report: FieldReport; readonly variables: Variables },
): RouterFacts {
  const sections = Object.keys(config).filter((name) => !readElsewhere.has(name));
  let aliases = new Map<string, string>();
  let masterKey: string | undefined;
  let totalMs: number | undefined;
  for (const name of sections) {
    const section = new SourceObject(partOf(config[name]), { place: name, name: "" }, report);
    if (name === "router_settings") aliases = aliasesOf(section);
    totalMs ??= sharedTimeout(name, section);
    if (name === "general_settings") masterKey = readMasterKey(section, variables);
    if (name === "credential_list") section.changed("credential_list", "the keys of upstreams");
    section.finish(reasons[name]);
  }
  return {
    aliases,
    ...(masterKey !== undefined && { masterKey }),
    ...(totalMs !== undefined && { totalMs }),
  };
}

/** The field of a section that limits the time of all calls. */
const timeoutFields: Readonly<Partial<Record<string, string>>> = {
  router_settings: "timeout",
  litellm_settings: "request_timeout",
};

function sharedTimeout(name: string, section: SourceObject): number | undefined {
  const field = timeoutFields[name];
  const totalMs = field === undefined ? undefined : timeoutOf(section, field);
  if (field !== undefined && totalMs !== undefined) {
    section.changed(field, "the timeout of upstreams without one of their own");
  }
  return totalMs;
}

/** A section that is a list or a value becomes one field. */
function partOf(value: unknown): SourceFields {
  return isFields(value) ? value : { "": value };
}

/** Aliases of models: `{ alias: "model" }` or `{ alias: { model: "…" } }`. */
function aliasesOf(router: SourceObject): Map<string, string> {
  const entries = Object.entries(router.object("model_group_alias") ?? {});
  const targets = entries.map(([alias, target]) =>
    [alias, isFields(target) ? target.model : target] as const
  );
  const found = targets.flatMap(([alias, target]) =>
    typeof target === "string" && /^\S{1,200}$/.test(alias) ? [[alias, target] as const] : []
  );
  if (found.length < entries.length) {
    router.changed("model_group_alias", "aliases of one model only");
  }
  return new Map(found);
}

/** The values of `credential_list` by name. */
export function credentialsOf(config: SourceFields): ReadonlyMap<string, SourceFields> {
  const list = Array.isArray(config.credential_list) ? config.credential_list : [];
  return new Map(
    list.filter(isFields).map((one) => [
      String(one.credential_name),
      isFields(one.credential_values) ? one.credential_values : {},
    ]),
  );
}
