import { type Settings, signUps, upstreamOrders } from "../store/catalog/mod.ts";
import type { AuditWords } from "./audit.ts";
import type { FaultCode } from "./faults.ts";

/** The values of the settings form, as text. */
export type SettingsValues = Readonly<Record<keyof Settings, string>>;

export type SettingsFaults = Readonly<Partial<Record<keyof Settings, FaultCode<"settings">>>>;

/** The result of reading a form. */
type SettingsResult =
  | { readonly type: "valid"; readonly settings: Settings }
  | { readonly type: "invalid"; readonly faults: SettingsFaults };

export const languages = ["browser", "en", "zh-CN"] as const satisfies Settings["language"][];
const [nameMax, noticeMax, contactMax, promptMax, domainsMax] = [60, 1_000, 200, 16_384, 100];

/** Reads the fields of one group or of several. The others keep their present values. */
export function readSettingsForm(form: URLSearchParams, present: SettingsValues): SettingsValues {
  const text = (name: keyof Settings) =>
    (form.get(name) ?? present[name]).replaceAll("\r\n", "\n").trim().slice(0, 30_000);
  return {
    siteName: text("siteName"),
    signUp: text("signUp"),
    signUpDomains: text("signUpDomains"),
    // Browsers leave out a box that is not ticked, so its group names itself by another field.
    publicPricing: form.has("signUp")
      ? form.get("publicPricing") ?? "false"
      : present.publicPricing,
    notice: text("notice"),
    contact: text("contact"),
    compactionPrompt: text("compactionPrompt"),
    upstreamOrder: text("upstreamOrder"),
    theme: text("theme"),
    language: text("language"),
    timeZone: text("timeZone"),
  };
}

/** The form's values for the current settings. */
export function settingsValues(settings: Settings): SettingsValues {
  return {
    ...settings,
    signUpDomains: settings.signUpDomains.join("\n"),
    publicPricing: String(settings.publicPricing),
  };
}

/** Returns the settings of a form, or its invalid fields. */
export function settingsOfForm(values: SettingsValues): SettingsResult {
  const { siteName, notice, contact, compactionPrompt, timeZone } = values;
  const signUp = signUps.find((one) => one === values.signUp);
  const upstreamOrder = upstreamOrders.find((one) => one === values.upstreamOrder);
  const theme = themes.find((one) => one === values.theme);
  const language = languages.find((one) => one === values.language);
  const signUpDomains = readDomains(values.signUpDomains);
  const isZone = timeZone === "browser" || knownTimeZone(timeZone) === timeZone;
  const faults: SettingsFaults = {
    ...(!isLine(siteName, nameMax) && { siteName: "siteName" }),
    ...(notice.length > noticeMax && { notice: "notice" }),
    ...(contact !== "" && !isLine(contact, contactMax) && { contact: "contact" }),
    ...(compactionPrompt.length > promptMax && { compactionPrompt: "prompt" }),
    ...(!isZone && { timeZone: "choice" }),
    ...(!signUp && { signUp: "choice" }),
    ...(!upstreamOrder && { upstreamOrder: "choice" }),
    ...(!theme && { theme: "choice" }),
    ...(!language && { language: "choice" }),
    ...(!signUpDomains && { signUpDomains: "domains" }),
  };
  const isValid = signUp && upstreamOrder && theme && language && signUpDomains &&
    Object.keys(faults).length === 0;
  if (!isValid) return { type: "invalid", faults };
  const chosen = { signUp, upstreamOrder, theme, language, signUpDomains, timeZone };
  const publicPricing = values.publicPricing === "true";
  const texts = { siteName, notice, contact, compactionPrompt };
  return { type: "valid", settings: { ...texts, publicPricing, ...chosen } };
}

/** The settings by field for the audit log. */
export function settingsWords(settings: Settings): AuditWords {
  const words = Object.entries(settingsValues(settings)).filter(([, text]) => text !== "");
  return Object.fromEntries(words);
}

function isLine(text: string, max: number): boolean {
  return text !== "" && text.length <= max && !text.includes("\n");
}

/** Reads domains in lower case, without duplicates; undefined if one of them is invalid. */
function readDomains(text: string): string[] | undefined {
  const entered = text.split(/[\s,]+/).filter((line) => line !== "");
  const domains = entered.map((line) => domainOf(line.replace(/^@/, "")));
  if (domains.length > domainsMax || domains.includes(undefined)) return undefined;
  return [...new Set(domains.filter((domain) => domain !== undefined))];
}

const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A domain in lower case and, for other scripts, in its ASCII form. */
function domainOf(text: string): string | undefined {
  if (/[/:?#@\\]/.test(text)) return undefined;
  const host = URL.parse(`http://${text}`)?.hostname ?? "";
  return host.length <= 253 && domainName.test(host) ? host : undefined;
}

export const themes = ["light", "dark", "system"] as const;

/** Returns the name of a known time zone; undefined for any other text. */
export function knownTimeZone(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 100) return undefined;
  try {
    const timeZone = decodeURIComponent(text);
    new Intl.DateTimeFormat("en", { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}
