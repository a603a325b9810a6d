import { addAuditEntry, auditOf, type ChangeOptions } from "../audit/audit_entry.ts";
import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";

/** Sign-up policies: closed, by invitation, or open to everyone. */
export const signUps = ["closed", "invitation", "open"] as const;
type SignUp = typeof signUps[number];

/** Orders among upstreams of one priority: by weight, by the price of their model, by latency. */
export const upstreamOrders = ["even", "cheapest", "fastest"] as const;

/** Settings of the site, which administrators change in the console. All texts are plain text. */
export interface Settings {
  /** Displayed beside the logo and in page titles. */
  readonly siteName: string;
  readonly signUp: SignUp;
  /** Domains of the e-mail addresses that may sign up, in lower case; empty allows all. */
  readonly signUpDomains: readonly string[];
  /** True if visitors may see models and prices without signing in. */
  readonly publicPricing: boolean;
  /** Displayed on every page of the console; empty for none. */
  readonly notice: string;
  /** A contact for questions about funds and signing in, such as an e-mail address; empty for none. */
  readonly contact: string;
  /** Asks a model to summarize a conversation; empty for the configuration's prompt. */
  readonly compactionPrompt: string;
  /** The order among upstreams of one priority. */
  readonly upstreamOrder: typeof upstreamOrders[number];
  /** The default for users without a choice of their own. */
  readonly theme: "system" | "light" | "dark";
  /**
   * The default for users without a choice of their own; `browser` means the browser's language.
   */
  readonly language: "browser" | "en" | "zh-CN";
  /** The default for users without a choice of their own: an IANA name, or `browser`. */
  readonly timeZone: string;
}

/** The settings before an administrator changes them. */
export const defaultSettings: Settings = {
  siteName: "Tessera",
  signUp: "invitation",
  signUpDomains: [],
  publicPricing: false,
  notice: "",
  contact: "",
  compactionPrompt: "",
  upstreamOrder: "even",
  theme: "system",
  language: "browser",
  timeZone: "browser",
};

const kind: Kind<Settings> = { name: "settings", version: 1 };

/** Reads the settings from the store; `Directory.settings` has them in memory. */
export async function readSettings(store: Store): Promise<Settings> {
  const { value } = await store.kv.get(keys.settings);
  return decoded(value);
}

/** Writes the result of `audit`, if any, in the same commit. Returns the new settings. */
export function updateSettings(
  store: Store,
  change: (settings: Settings) => Settings,
  { audit }: Pick<ChangeOptions<Settings>, "audit"> = {},
): Promise<Settings> {
  return untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(keys.settings);
    const before = decoded(entry.value);
    const after = change(before);
    const operation = store.kv.atomic().check(entry).set(keys.settings, encodeRecord(kind, after));
    addAuditEntry(operation, auditOf(audit, before, after));
    return await store.commitChange(operation) ? after : undefined;
  });
}

/** Decodes the record; fields that it lacks get their defaults. */
function decoded(value: unknown): Settings {
  return value === null ? defaultSettings : { ...defaultSettings, ...decodeRecord(kind, value) };
}
