/** The time that a copied value is kept; undefined for a value that never expires. */
type Lifetime = (value: unknown, options: LifetimeOptions) => number | undefined;

interface LifetimeOptions {
  readonly key: Deno.KvKey;
  /** Retention of stored responses and conversations. */
  readonly retentionMs: number;
  readonly nowMs: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The values that expire, by the first part of their key. Deno KV does not report when a value
 * expires. One that does not state it is kept as long as a new one, or, for marks and indexes of
 * records that have expired, which change nothing, as long as the longest.
 */
const lifetimes: Readonly<Record<string, Lifetime>> = {
  session: stated,
  session_by_user: lasting(400 * dayMs),
  sign_in_attempts: lasting(dayMs),
  setup_link: stated,
  invitation: stated,
  password_link: stated,
  password_link_by_user: lasting(dayMs),
  one_time_use: lasting(hourMs),
  start_of_run: lasting(dayMs),
  device_answer: stated,
  former_secret_use: lasting(30 * dayMs),
  denied_calls: lasting(7 * dayMs),
  kept_answer: stated,
  kept_answer_piece: lasting(dayMs),
  idempotent_call: stated,
  recording: stated,
  recorded_content: stated,
  shown_once: lasting(hourMs),
  shown_once_of: lasting(hourMs),
  shown_once_piece: lasting(hourMs),
  allowance: (_, { key }) => /^(tokens|requests):/.test(String(key[1])) ? dayMs : undefined,
  token_overrun: lasting(hourMs),
  kept_text: retained,
  response: stated,
  response_item: retained,
  response_events: lasting(3 * hourMs),
  conversation: stated,
  conversation_page: retained,
  alert: stated,
  alert_by_account: lasting(400 * dayMs),
  alert_mark: lasting(400 * dayMs),
  webhook_outbox: lasting(3 * dayMs),
  webhook_delivery: stated,
  webhook_due: lasting(30 * dayMs),
  webhook_mark: lasting(30 * dayMs),
  connection_check: stated,
  arrivals: lasting(hourMs),
  fold_mark: lasting(dayMs),
};

/** Returns the time that a copied value is kept. */
export function lifetimeOf(value: unknown, options: LifetimeOptions): number | undefined {
  return lifetimes[String(options.key[0])]?.(value, options);
}

function lasting(ms: number): Lifetime {
  return () => ms;
}

function retained(_: unknown, { retentionMs }: LifetimeOptions): number {
  return retentionMs;
}

function stated(value: unknown, { nowMs }: LifetimeOptions): number {
  const { expiresAtMs } = value as { readonly expiresAtMs: number }; // these records all have it
  return Math.max(1, expiresAtMs - nowMs);
}
