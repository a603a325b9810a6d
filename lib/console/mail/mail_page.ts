import { currentMailServer, mailSettings } from "../../admin/mail.ts";
import type { MailServer } from "../../store/mail/mod.ts";
import { listDeliveries, mailReceiverId, type WebhookDelivery } from "../../store/webhooks/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Flash } from "../page/flash.ts";
import type { AccountState } from "../session/state.ts";

/** The form of the mail server; the password is never shown. */
interface MailValues {
  readonly host: string;
  readonly port: string;
  readonly security: string;
  readonly username: string;
  readonly password: string;
  readonly from: string;
}

type MailFaults = Readonly<Partial<Record<keyof MailValues, keyof MailValues>>>;

/** A mail of the queue as administrators see it. */
export interface RecentMail {
  readonly delivery: WebhookDelivery;
  /** Absent if it cannot be unsealed. */
  readonly to?: string;
  readonly subject?: string;
}

/** The data of the page. */
export interface MailPageData {
  readonly server: MailServer | undefined;
  readonly isConfigured: boolean;
  readonly values: MailValues;
  readonly faults: MailFaults;
  readonly recent: readonly RecentMail[];
  readonly flash?: Flash;
}

const recentMax = 20;

export async function mailPageData({ services }: AccountState): Promise<MailPageData> {
  const { server, isConfigured } = await currentMailServer(services);
  const query = { limit: recentMax };
  const { deliveries } = await listDeliveries(services.store, mailReceiverId, query);
  const recent = await Promise.all(deliveries.map(async (delivery) => {
    const opened = await services.alerts?.mail?.open(delivery.body);
    return { delivery, ...(opened && { to: opened.to, subject: opened.subject }) };
  }));
  return { server, isConfigured, values: valuesOf(server), faults: {}, recent };
}

function valuesOf(server: MailServer | undefined): MailValues {
  const { host = "", port = "", security = "starttls", username = "", from = "" } = server ?? {};
  return { host, port: String(port), security, username, password: "", from };
}

const names = ["host", "port", "security", "username", "password", "from"] as const;

export function readMailForm(form: URLSearchParams): MailValues {
  const entries = names.map((name) => [name, form.get(name) ?? ""]);
  return Object.fromEntries(entries) as Record<typeof names[number], string>; // one for each name
}

type MailForm =
  | { readonly type: "valid"; readonly settings: ReturnType<typeof mailSettings.parse> }
  | { readonly type: "invalid"; readonly faults: MailFaults };

/** Checks the form as the API checks a body. Empty fields are absent. */
export function mailForm({ port, username, password, ...values }: MailValues): MailForm {
  const parsed = mailSettings.safeParse({
    ...values,
    ...(port.trim() !== "" && { port: Number(port) }),
    ...(username.trim() !== "" && { username }),
    ...(password !== "" && { password }),
  });
  if (parsed.success) return { type: "valid", settings: parsed.data };
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const faults = names.filter((name) => wrong.has(name)).map((name) => [name, name]);
  return { type: "invalid", faults: Object.fromEntries(faults) };
}

/** The error of a test in words; undefined if it succeeded or the message is about something else. */
export function mailTestFault(
  flash: Flash | undefined,
  { mail: texts }: Catalog,
): string | undefined {
  if (flash?.type !== "mail-tested" || flash.fault === undefined) return undefined;
  const status = flash.status === undefined ? "" : ` (${flash.status})`;
  const said = flash.words === undefined ? "" : ` ${texts.said(flash.words)}`;
  return `${texts.notTested}: ${texts.faults[flash.fault]}${status}.${said}`;
}
