import { z } from "zod";
import { auditChanges } from "../admin/audit.ts";
import { faults } from "../admin/faults.ts";
import {
  type SettingsFaults,
  settingsOfForm,
  type SettingsValues,
  settingsValues,
  settingsWords,
} from "../admin/settings.ts";
import {
  readSettings,
  type Settings,
  signUps,
  updateSettings,
  upstreamOrders,
} from "../store/catalog/mod.ts";
import { invalidField, ManagementError } from "./http/error.ts";
import { assertCurrent, type ManagementCall, operation } from "./http/operation.ts";
import { namedObject } from "./http/schema.ts";

const text = z.string().max(30_000);
const settingsFields = {
  site_name: text,
  sign_up: z.enum(signUps),
  sign_up_domains: z.array(z.string().max(300).regex(/^[^\s,]+$/, "must be a domain")).max(1_000),
  public_pricing: z.boolean(),
  notice: text,
  contact: text,
  compaction_prompt: text.describe(
    "Asks a model to summarize a conversation; empty: `compactionPrompt` of the configuration",
  ),
  upstream_order: z.enum(upstreamOrders).describe(
    "Among upstreams of one priority: by weight, by the price of their model, or by latency",
  ),
  theme: z.enum(["system", "light", "dark"]),
  language: z.enum(["browser", "en", "zh-CN"]),
  time_zone: text.describe("An IANA name, or `browser`"),
} as const;

const settingsAnswer = namedObject("Settings", settingsFields);
const change = z.strictObject(settingsFields).partial();
type Change = z.output<typeof change>;

/** Reads and changes the settings of the site. */
export const settingsOperations = [
  operation("GET /settings", {
    summary: "Read the settings of the site",
    scope: "settings:read",
    answer: settingsAnswer,
  }, async ({ state }) => replyOf(await readSettings(state.services.store))),
  operation("PATCH /settings", {
    summary: "Change settings of the site",
    scope: "settings:write",
    body: change,
    answer: settingsAnswer,
    errors: ["object_changed"],
  }, async (call) => {
    const { store, directory } = call.state.services;
    const target = { targetId: "settings", targetName: call.state.settings.siteName };
    const facts = { kind: "settings", action: "changed", ...target } as const;
    const audit = auditChanges(call, facts, settingsWords);
    const changed = await updateSettings(store, (stored) => changedSettings(stored, call), {
      audit,
    });
    await directory.refresh();
    return replyOf(changed);
  }),
  operation("POST /settings/test-payments", {
    summary: "Test the connection to the payment service",
    scope: "settings:write",
    answer: z.object({ result: z.string().describe("`delivered`, or what failed") }),
    errors: ["object_not_found"],
  }, async ({ state: { services } }) => {
    const result = await services.payments?.check();
    if (result !== undefined) return { body: { result } };
    throw new ManagementError("object_not_found", "Payments are not set up in the configuration");
  }),
];

function changedSettings(stored: Settings, call: ManagementCall<unknown, Change>): Settings {
  assertCurrent(call, stored);
  const result = settingsOfForm({ ...settingsValues(stored), ...valuesOf(call.body) });
  if (result.type === "valid") return result.settings;
  throw faultOf(result.faults);
}

/** The fields of a change as the form writes them. */
function valuesOf(body: Change): Partial<SettingsValues> {
  const entries = Object.entries(names).flatMap(([name, field]) => {
    const value = body[name as keyof Change]; // a key of the table
    if (value === undefined) return [];
    return [[field, Array.isArray(value) ? value.join("\n") : String(value).trim()]];
  });
  return Object.fromEntries(entries);
}

const names = {
  site_name: "siteName",
  sign_up: "signUp",
  sign_up_domains: "signUpDomains",
  public_pricing: "publicPricing",
  notice: "notice",
  contact: "contact",
  compaction_prompt: "compactionPrompt",
  upstream_order: "upstreamOrder",
  theme: "theme",
  language: "language",
  time_zone: "timeZone",
} as const satisfies Record<keyof Change, keyof Settings>;

function faultOf(found: SettingsFaults): ManagementError {
  const [[param, message]] = Object.entries(names).flatMap(([param, field]) => {
    const fault = found[field];
    return fault === undefined ? [] : [[param, faults.settings[fault]]];
  });
  return invalidField(param, message);
}

function replyOf(settings: Settings) {
  const entries = Object.entries(names).map(([name, field]) => [name, settings[field]]);
  return {
    body: Object.fromEntries(entries) as z.output<typeof settingsAnswer>, // one for each field
    record: settings,
  };
}
