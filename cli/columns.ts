import type { Json, JsonRecord } from "./client.ts";

/** A column of a table: its head, and the value of a row. */
interface Column {
  readonly head: string;
  readonly value: (row: JsonRecord) => Json;
  /** True if the column is left out where no row has a value. */
  readonly isOptional?: true;
}

/** A column of a member, such as `actor.name`; its head is the last part unless one is given. */
function at(path: string, head = path.split(".").at(-1) ?? path): Column {
  const parts = path.split(".");
  const value = (row: JsonRecord) =>
    parts.reduce<Json>((value, part) => isRecord(value) ? value[part] ?? null : null, row);
  return { head, value };
}

function optional(path: string, head?: string): Column {
  return { ...at(path, head), isOptional: true };
}

export function isRecord(value: Json): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The budgets that are set, such as `5.00/day, 100.00/month`. */
const budgets: Column = {
  head: "budgets",
  value: ({ budgets = null }) => {
    const set = isRecord(budgets) ? Object.entries(budgets) : [];
    return set.filter(([, amount]) => amount !== null)
      .map(([period, amount]) => `${amount}/${period}`).join(", ");
  },
};

/** The names of the models that an upstream serves. */
const served: Column = {
  head: "models",
  value: ({ models = [] }) =>
    Array.isArray(models) ? models.map((one) => isRecord(one) ? one.id : one).join(", ") : null,
};

const counts = [
  at("requests"),
  at("failures"),
  at("input_tokens"),
  at("output_tokens"),
  at("cost"),
  at("margin"),
] as const;

/** The columns of each list that shows more than the first fields of its rows. */
const columnsOf: Readonly<Record<string, readonly Column[]>> = {
  keys: [
    ...[
      at("id"),
      at("name"),
      at("user_email", "owner"),
      at("group"),
      at("enabled"),
    ],
    ...[
      budgets,
      at("secret_hint", "secret"),
      optional("expires_at"),
      at("last_used_at"),
    ],
  ],
  users: [
    ...[at("id"), at("email"), at("role"), at("enabled"), at("spending")],
    ...[optional("project_id", "project"), budgets, at("last_seen_at")],
  ],
  groups: [at("id"), at("models"), at("price_ratio"), budgets, at("origin")],
  projects: [
    ...[at("id"), budgets, at("spent_30_days"), at("models")],
    ...[at("created_at"), optional("archived_at")],
  ],
  tags: [at("tag"), budgets],
  upstreams: [
    ...[
      at("id"),
      at("health.state", "health"),
      at("enabled"),
      at("priority"),
      at("weight"),
    ],
    ...[at("preset"), served, at("origin")],
  ],
  models: [
    ...[at("id"), at("vendor"), at("context_window", "context")],
    ...[at("price.input", "$/M input"), at("price.cached_input", "cached")],
    ...[
      at("price.output", "output"),
      at("price_source", "price from"),
      at("groups"),
    ],
  ],
  usage: [
    ...[optional("at", "from"), at("name"), optional("user_email", "owner"), at("id")],
    ...counts,
  ],
  calls: [
    ...[at("at"), at("id"), at("key_name", "key"), at("model"), at("status")],
    ...[at("outcome"), at("cost"), at("duration_ms", "ms")],
  ],
  tokens: [
    ...[at("id"), at("name"), at("scopes"), at("secret_hint", "secret")],
    ...[optional("expires_at"), at("last_used_at")],
  ],
  wallets: [
    at("user_id"),
    at("email"),
    at("spending"),
    at("balance"),
    at("funded"),
    at("spent"),
  ],
  webhooks: [
    at("id"),
    at("url"),
    at("types"),
    at("enabled"),
    optional("failing_since"),
  ],
  "webhooks deliveries": [
    ...[at("event_id"), at("type"), at("state"), at("attempts")],
    ...[at("created_at"), at("next_attempt_at")],
  ],
  audit: [
    ...[at("at"), at("actor.name", "actor"), at("action"), at("kind")],
    ...[at("target.name", "object"), optional("reason"), at("id")],
  ],
  alerts: [
    at("at"),
    at("type"),
    at("owner"),
    at("owner_name", "name"),
    at("refused"),
    at("id"),
  ],
};

const columnsMax = 8;

/** The columns of a list; of any other, those of its first simple fields. */
export function columnsFor(rows: readonly JsonRecord[], resource: string): readonly Column[] {
  const present = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const simple = present.filter((name) => rows.every((row) => !isRecord(row[name] ?? null)))
    .slice(0, columnsMax).map((name) => at(name));
  return (columnsOf[resource] ?? simple).filter(({ value, isOptional }) =>
    !isOptional || rows.some((row) => value(row) !== null)
  );
}
