import type { ComposeMail, Mail, MailNotice } from "../../mail/mod.ts";
import { type Alert, getAlert } from "../../store/alerts/mod.ts";
import { readSettings } from "../../store/catalog/mod.ts";
import type { WebhookEvent } from "../../store/webhooks/mod.ts";
import { type EventData, eventPath } from "../../webhooks/mod.ts";
import { catalogs } from "../i18n/mod.ts";
import { attentionLine } from "../overview/attention.ts";
import { formatsFor } from "../page/format.ts";
import { mailLocale } from "../session/mail_locale.ts";
import { htmlOf, type MailContent, plainTextOf } from "./layout.ts";
import { reportContent } from "./report.ts";
import { actionTo, type MailPlace, type MailScene } from "./scene.ts";

/** Writes a mail in the reader's language, else the site's, else English. */
export async function composeMail(
  place: MailPlace,
  ...[notice, reader]: Parameters<ComposeMail>
): Promise<Mail | undefined> {
  const settings = await readSettings(place.store);
  const locale = mailLocale(reader.locale, settings);
  const catalog = catalogs[locale];
  const timeZone = settings.timeZone === "browser" ? "UTC" : settings.timeZone;
  const formats = formatsFor({ locale, timeZone, nowMs: place.nowMs });
  const scene = { ...place, catalog, formats, settings, reader };
  const content = await contentOf(notice, scene);
  if (content === undefined) return undefined;
  const footer = { ...footerOf(scene), locale };
  const ends = "expiresAtMs" in notice ? { notAfterMs: notice.expiresAtMs } : {};
  return {
    to: reader.email,
    sender: oneLine(settings.siteName),
    subject: oneLine(content.subject),
    text: plainTextOf(content, footer),
    html: htmlOf(content, footer),
    ...ends,
  };
}

/** Names end up in headers, which have one line. */
function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ").trim();
}

function footerOf({ catalog: { mailTexts }, settings, publicUrl, reader }: MailScene) {
  const url = reader.id === undefined || publicUrl === undefined
    ? undefined
    : `${publicUrl}/console/account#mail`;
  return {
    text: mailTexts.footer(settings.siteName),
    pasteLink: mailTexts.pasteLink,
    ...(url && { link: { label: mailTexts.choose, url } }),
  };
}

async function contentOf(notice: MailNotice, scene: MailScene): Promise<MailContent | undefined> {
  const { mailTexts } = scene.catalog;
  switch (notice.type) {
    case "test":
      return { subject: mailTexts.test.subject, lines: [mailTexts.test.text] };
    case "invitation":
    case "password":
      return linkContent(notice, scene);
    case "event":
      return await eventContent(notice.event, scene);
    default:
      return notice satisfies never;
  }
}

function linkContent(
  notice: Extract<MailNotice, { readonly url: string }>,
  { catalog: { mailTexts: { invitation, password } }, formats, settings }: MailScene,
): MailContent {
  const { url, expiresAtMs } = notice;
  const ends = `${formats.moment(expiresAtMs)} (${formats.timeZone})`;
  if (notice.type === "password") {
    return {
      subject: password.subject,
      lines: [password.text(settings.siteName), password.expires(ends)],
      action: { label: password.action, url },
      note: password.note,
    };
  }
  return {
    subject: invitation.subject(settings.siteName),
    lines: [invitation.text(notice.by, settings.siteName), invitation.expires(ends)],
    action: { label: invitation.action, url },
    note: invitation.note,
  };
}

/** Undefined for an alert that has expired, and an event of another type. */
async function eventContent(
  { id, type, body }: WebhookEvent,
  scene: MailScene,
): Promise<MailContent | undefined> {
  const { data } = JSON.parse(body) as { readonly data: never }; // `newEvent` wrote it
  if (type === "report.weekly") return reportContent(data, scene);
  if (type in scene.catalog.mailTexts.upstream) return upstreamContent(type, data, scene);
  const alert = await getAlert(scene.store, id);
  return alert && alertContent(alert, data, scene);
}

function alertContent(
  alert: Alert,
  data: object,
  scene: MailScene,
): MailContent {
  const { catalog, catalog: { mailTexts: { facts } }, formats, reader } = scene;
  const own = alert.accountId !== undefined && alert.accountId === reader.id;
  const line = attentionLine({ alert, own }, { catalog, formats });
  const sentence = `${line.before}${line.name}${line.after}`;
  const rows = [
    [facts.amounts, line.amounts],
    [facts.resets, line.resetsAtMs && `${formats.moment(line.resetsAtMs)} (${formats.timeZone})`],
  ] as const;
  const path = line.href ?? eventPath(alert.type, data);
  return {
    subject: sentence,
    lines: [sentence],
    facts: rows.flatMap(([name, value]) => value ? [[name, value] as const] : []),
    ...actionTo(path, line.fix, scene),
  };
}

function upstreamContent(
  type: string,
  data: EventData<"upstream.down"> & Partial<EventData<"upstream.recovered">>,
  scene: MailScene,
): MailContent {
  const { catalog: { mailTexts: { facts, upstream } }, formats } = scene;
  const { upstreamId, model, credentialId, cause, until } = data;
  const subject = upstream[type as keyof typeof upstream](upstreamId); // the caller looked it up
  const rows = [
    [facts.model, model],
    [facts.credential, credentialId],
    [facts.cause, cause],
    [facts.until, until && `${formats.moment(Date.parse(until))} (${formats.timeZone})`],
  ] as const;
  return {
    subject,
    lines: [subject],
    facts: rows.flatMap(([name, value]) => value ? [[name, value] as const] : []),
    ...actionTo(eventPath(type, data), scene.catalog.attention.fixes.upstream, scene),
  };
}
