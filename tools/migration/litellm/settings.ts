import { isModelName } from "../../../lib/admin/models/model_rows.ts";
import { type FieldReport, isFields, type SourceFields, SourceObject } from "../source_object.ts";
import type { Variables } from "./config_file.ts";
import { timeoutOf } from "./deployments.ts";
import { Fallbacks } from "./fallbacks.ts";
import { masterKeyIn, readMasterKey } from "./secrets.ts";

const caching = "Tessera keeps no answers";
const callbacks = "Tessera writes its own log, metrics and OpenTelemetry";
const redis = "isolates share limits through the store, without Redis";
const health = "health and circuit breakers have their own thresholds";

/** Reasons why settings have no counterpart, by section. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  router_settings: {
    routing_strategy: "upstreams of one priority share calls by weight and health",
    num_retries: "each healthy upstream is tried once",
    max_retries: "each healthy upstream is tried once",
    allowed_fails: health,
    allowed_fails_policy: health,
    cooldown_time: health,
    retry_after: "each healthy upstream is tried once",
    retry_policy: "each healthy upstream is tried once",
    timeout: "litellm_settings.request_timeout decides",
    redis_host: redis,
    redis_port: redis,
    redis_password: redis,
    redis_url: redis,
    enable_pre_call_checks: "limits are checked before each call",
  },
  litellm_settings: {
    drop_params: "conversions leave out what an upstream does not know, and note it",
    modify_params: "conversions repair requests, and note it",
    set_verbose: callbacks,
    json_logs: callbacks,
    turn_off_message_logging: "prompts are never logged",
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
    disable_error_logs: callbacks,
    disable_spend_logs: callbacks,
    store_prompts_in_spend_logs: "prompts are never logged",
    proxy_batch_write_at: "charges are written with each answer",
    database_connection_pool_limit: "Tessera keeps everything in its own store",
    database_connection_timeout: "Tessera keeps everything in its own store",
    custom_auth: "keys, passwords and passkeys are the ways to sign in",
    store_model_in_db: "upstreams are always in the store",
    alerting: "set alerts in the configuration of Tessera",
    alerting_threshold: "set alerts in the configuration of Tessera",
    pass_through_endpoints: "Tessera serves known endpoints only",
    allowed_ips: "set addresses for each key",
  },
};

/** Facts about routing and keys. */
interface RouterFacts {
  readonly aliases: ReadonlyMap<string, string>;
  readonly fallbacks: Fallbacks;
  /** The key of LiteLLM's administrator. */
  readonly masterKey?: string;
  /** The same, if it cannot be guessed. */
  readonly safeMasterKey?: string;
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
  const fallbacks = new Fallbacks();
  let aliases = new Map<string, string>();
  let safeMasterKey: string | undefined;
  let totalMs: number | undefined;
  for (const name of sections) {
    const section = new SourceObject(partOf(config[name]), { place: name, name: "" }, report);
    if (name === "router_settings") aliases = aliasesOf(section);
    if (name !== "general_settings") fallbacks.read(section);
    totalMs ??= sharedTimeout(name, section);
    if (name === "general_settings") safeMasterKey = readMasterKey(section, variables);
    if (name === "credential_list") section.changed("(list)", "the keys of upstreams");
    section.finish(Object.hasOwn(reasons, name) ? reasons[name] : {});
  }
  const masterKey = masterKeyIn(config, variables);
  return {
    aliases,
    fallbacks,
    ...(masterKey !== undefined && { masterKey }),
    ...(safeMasterKey !== undefined && { safeMasterKey }),
    ...(totalMs !== undefined && { totalMs }),
  };
}

/** The field of a section that limits the time of all calls. */
const timeoutFields: Readonly<Partial<Record<string, string>>> = {
  router_settings: "timeout",
  litellm_settings: "request_timeout",
};

function sharedTimeout(name: string, section: SourceObject): number | undefined {
  const field = Object.hasOwn(timeoutFields, name) ? timeoutFields[name] : undefined;
  const totalMs = field === undefined ? undefined : timeoutOf(section, field);
  if (field !== undefined && totalMs !== undefined) {
    section.changed(field, "the timeout of upstreams without one of their own");
  }
  return totalMs;
}

/** A section that is a list or a value becomes one field. */
function partOf(value: unknown): SourceFields {
  return isFields(value) ? value : { [Array.isArray(value) ? "(list)" : "(value)"]: value };
}

/** Aliases of models: `{ alias: "model" }` or `{ alias: { model: "…" } }`. */
function aliasesOf(router: SourceObject): Map<string, string> {
  const entries = Object.entries(router.object("model_group_alias") ?? {});
  const targets = entries.map(([alias, target]) =>
    [alias, isFields(target) ? target.model : target] as const
  );
  const found = targets.flatMap(([alias, target]) =>
    typeof target === "string" && isModelName(alias) && isModelName(target)
      ? [[alias, target] as const]
      : []
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
