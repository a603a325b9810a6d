import { type JsonObject, limitOwners } from "../../canonical/mod.ts";
import { budgetPeriods } from "../../store/money/mod.ts";

const string: JsonObject = { type: "string" };
const number: JsonObject = { type: "number" };
const integer: JsonObject = { type: "integer" };
const boolean: JsonObject = { type: "boolean" };
const date: JsonObject = { type: "string", format: "date" };
const usd: JsonObject = { type: "string", description: "USD as a decimal", examples: ["0.0123"] };
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });

/** An object all of whose members are always there. */
function whole(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: "object", required: Object.keys(properties), properties };
}

const counts = {
  requests: integer,
  failures: integer,
  input_tokens: integer,
  cached_input_tokens: integer,
  output_tokens: integer,
  cost: usd,
} as const;

const model = whole({ model: orNull(string), ...counts });

const limit = whole({
  name: string,
  owner: { enum: [...limitOwners] },
  period: { enum: [...budgetPeriods, null] },
  limit: orNull(usd),
  remaining: orNull(usd),
  resets_at: orNull({ type: "string", format: "date-time" }),
});

/** The schemas of what a key may read about itself. */
export const ownKeySchemas: Readonly<Record<string, JsonObject>> = {
  OwnUsage: whole({
    object: { const: "usage" },
    start_date: date,
    end_date: date,
    currency: { const: "USD" },
    total: whole(counts),
    remaining: orNull(usd),
    limits: listOf(limit),
    models: listOf(model),
    days: listOf(whole({ date, ...counts, models: listOf(model) })),
  }),
  OwnKey: whole({
    data: whole({
      label: string,
      usage: number,
      usage_daily: number,
      usage_weekly: number,
      usage_monthly: number,
      limit: orNull(number),
      limit_remaining: orNull(number),
      limit_reset: { enum: ["daily", "weekly", "monthly", null] },
      is_free_tier: boolean,
      is_management_key: boolean,
      is_provisioning_key: boolean,
      rate_limit: whole({ requests: integer, interval: string }),
      expires_at: orNull(string),
      id: string,
      name: string,
      group: string,
      models: listOf(string),
      formats: listOf(string),
      created_at: string,
      remaining: orNull(usd),
      limits: listOf(limit),
      rate_limits: whole({
        requests_per_minute: orNull(integer),
        tokens_per_minute: orNull(integer),
        concurrency: orNull(integer),
      }),
    }),
  }),
  BillingSubscription: whole({
    object: { const: "billing_subscription" },
    has_payment_method: boolean,
    soft_limit_usd: number,
    hard_limit_usd: number,
    system_hard_limit_usd: number,
    access_until: { type: "integer", description: "Seconds since 1970; 0: never expires" },
  }),
  BillingUsage: whole({
    object: { const: "list" },
    daily_costs: listOf(whole({
      timestamp: number,
      line_items: listOf(whole({ name: string, cost: number })),
    })),
    total_usage: { type: "number", description: "US cents" },
  }),
};
