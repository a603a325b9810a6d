import { currentMailServer } from "../../admin/mail.ts";
import { version } from "../../version.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Flash } from "../page/flash.ts";
import type { Formats } from "../page/format.ts";
import type { AccountState } from "../session/state.ts";

/** The set-up of a delivery, and true if it can be tested. */
export interface DeliveryFact {
  readonly name: "alerts" | "payments" | "mail";
  readonly text: string;
  readonly isSet: boolean;
}

/** The deliveries and their targets. */
export async function deliveryFacts(
  { services, catalog }: AccountState,
): Promise<readonly DeliveryFact[]> {
  const { settings: texts, mail } = catalog;
  const { server } = await currentMailServer(services);
  const { config: { alerts }, payments } = services;
  const url = alerts?.webhook?.url;
  const mode = payments?.isTestMode ? texts.paymentsTest : texts.paymentsLive;
  return [
    {
      name: "alerts",
      isSet: url !== undefined && services.alerts !== undefined,
      text: alertsText(url, server !== undefined, texts),
    },
    { name: "payments", isSet: payments !== undefined, text: payments ? mode : texts.paymentsOff },
    {
      name: "mail",
      isSet: server !== undefined,
      text: server ? mail.sentBy(server.host) : mail.off,
    },
  ];
}

function alertsText(
  url: string | undefined,
  isMailed: boolean,
  texts: Catalog["settings"],
): string {
  if (url !== undefined) return texts.alertsTo(new URL(url).host);
  return isMailed ? texts.alertsMailed : texts.alertsOff;
}

/** A setting from the configuration. */
export interface ConfigRow {
  readonly what: keyof Catalog["settings"]["rows"];
  readonly value: string;
  /** The name of the configuration field. */
  readonly field: string;
}

const days = [
  "alertRetentionDays",
  "responseRetentionDays",
  "sessionDays",
] as const;
const counts = ["attemptsMax", "redemptionCodesMax", "pageRowsMax"] as const;
const dollars = ["paymentUsdMin", "paymentUsdMax"] as const;
const [mebibyte, nanosPerUsd] = [1024 * 1024, 1_000_000_000n];

/** Settings from the configuration that administrators look up: retention times and limits. */
export function configRows(
  { services: { config }, catalog: { settings: texts } }: AccountState,
  formats: Formats,
): readonly ConfigRow[] {
  const { limits, alerts, timeZone = "UTC" } = config;
  const limit = (what: keyof typeof limits & ConfigRow["what"], value: string) => ({
    what,
    value,
    field: `limits.${what}`,
  });
  return [
    ...logRows(config, texts),
    ...days.map((name) => limit(name, texts.days(limits[name]))),
    limit("setupLinkHours", texts.hours(limits.setupLinkHours)),
    limit("bodyBytesMax", `${formats.count(limits.bodyBytesMax / mebibyte)} MiB`),
    ...counts.map((name) => limit(name, formats.count(limits[name]))),
    ...dollars.map((name) => limit(name, formats.price(BigInt(limits[name]) * nanosPerUsd))),
    ...(alerts ? alertRows(alerts, formats) : []),
    { what: "timeZone", value: timeZone, field: "timeZone" },
  ];
}

/** The retention of the log, which holds without an archive only, and the archive. */
function logRows(
  { limits, logArchive }: AccountState["services"]["config"],
  texts: Catalog["settings"],
): readonly ConfigRow[] {
  const field = "limits.logRetentionDays";
  const retention = logArchive ? texts.keptForever : texts.days(limits.logRetentionDays);
  return [
    { what: "logRetentionDays", value: retention, field },
    { what: "logArchive", value: archiveText(logArchive, texts), field: "logArchive" },
  ];
}

function archiveText(
  archive: AccountState["services"]["config"]["logArchive"],
  texts: Catalog["settings"],
): string {
  if (!archive) return texts.archiveOff;
  const { keepDays, place } = archive;
  const where = place.type === "folder" ? place.path : `${place.endpoint}/${place.bucket}`;
  return texts.archiveAfter(texts.days(keepDays), where);
}

function alertRows(
  { thresholds, lowBalanceNanoUsd }: NonNullable<AccountState["services"]["config"]["alerts"]>,
  formats: Formats,
): readonly ConfigRow[] {
  const value = thresholds.map((threshold) => `${threshold}%`).join(", ");
  return [
    { what: "thresholds", value, field: "alerts.thresholds" },
    { what: "lowBalance", value: formats.price(lowBalanceNanoUsd), field: "alerts.lowBalanceUsd" },
  ];
}

/** The result of a test delivery. */
interface DeliveryTest {
  readonly name: "alerts" | "payments";
  /** The error of the test; absent if it succeeded. */
  readonly fault?: string;
}

/** Returns undefined if the flash message is not about a test. */
export function deliveryTestOf(
  flash: Flash | undefined,
  { settings: texts }: Catalog,
): DeliveryTest | undefined {
  if (flash?.type !== "delivery-tested") return undefined;
  const { delivery, result } = flash;
  const name = (["alerts", "payments"] as const).find((one) => one === delivery);
  const status = /^answered-(\d{3})$/.exec(result)?.[1];
  if (name === undefined) return undefined;
  if (status !== undefined) return { name, fault: texts.testFault.answered(status) };
  const fault = (["timeout", "unreachable", "refused"] as const).find((one) => one === result);
  if (fault) return { name, fault: texts.testFault[fault] };
  return result === "delivered" ? { name } : undefined;
}

/** One fact about the running gateway; times have no text. */
export type AboutFact =
  | { readonly name: Exclude<keyof Catalog["about"]["facts"], "since">; readonly text: string }
  | { readonly name: "since"; readonly atMs: number };

/** The versions, the store and the start of this process. */
export async function aboutFacts(
  { services, catalog: { about } }: AccountState,
  formats: Formats,
): Promise<readonly AboutFact[]> {
  const { store } = services.config;
  return [
    { name: "version", text: version },
    { name: "deno", text: Deno.version.deno },
    ...(store ? [{ name: "store", text: await storeText(store, about, formats) } as const] : []),
    { name: "since", atMs: Math.round(performance.timeOrigin) },
    { name: "licence", text: "MIT" },
  ];
}

async function storeText(
  store: NonNullable<AccountState["services"]["config"]["store"]>,
  { stores }: Catalog["about"],
  formats: Formats,
): Promise<string> {
  switch (store.type) {
    case "file": {
      const bytes = await fileBytes(store.path);
      return stores.file(bytes === undefined ? "" : sizeOf(bytes, formats));
    }
    case "server":
    case "postgres":
      return stores[store.type](new URL(store.url).host);
    default:
      return stores[store.type];
  }
}

/** Undefined for a file that cannot be read. */
function fileBytes(path: string): Promise<number | undefined> {
  return Deno.stat(path).then(({ size }) => size, () => undefined);
}

function sizeOf(bytes: number, formats: Formats): string {
  return `${formats.count(Math.max(0.1, Math.round(10 * bytes / mebibyte) / 10))} MiB`;
}
