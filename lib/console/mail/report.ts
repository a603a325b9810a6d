import type { EventData } from "../../webhooks/mod.ts";
import type { MailContent, MailTable } from "./layout.ts";
import { actionTo, type MailScene } from "./scene.ts";

type Report = EventData<"report.weekly">;

/** The weekly report, whose tables without rows are left out. */
export function reportContent(report: Report, scene: MailScene): MailContent {
  const { catalog: { mailTexts: { report: texts } }, formats, settings } = scene;
  const [from, last] = [Date.parse(report.from), Date.parse(report.to) - 1].map(formats.day);
  return {
    subject: texts.subject(settings.siteName, from, last),
    lines: [
      texts.text(formats.count(report.calls), money(report.costUsd)),
      texts.compared(money(report.previousCostUsd)),
    ],
    tables: tablesOf(report, scene).filter(({ rows }) => rows.length > 0),
    ...actionTo("/console", texts.action, scene),
  };
}

function tablesOf(
  { users, models, keys, failures, calls, failed, lowBalances, expiringKeys }: Report,
  { catalog: { mailTexts: { report: texts } }, formats }: MailScene,
): MailTable[] {
  const spent = (rows: Report["users"]) =>
    rows.map((row) => [row.name, money(row.costUsd)] as const);
  return [
    { title: texts.users, rows: spent(users) },
    { title: texts.models, rows: spent(models) },
    { title: texts.keys, rows: spent(keys) },
    {
      title: texts.failures(formats.percent(calls === 0 ? 0 : failed / calls)),
      rows: failures.map((row) => [
        row.model,
        texts.failed(formats.count(row.failed), formats.count(row.calls)),
      ]),
    },
    { title: texts.lowBalances, rows: lowBalances.map((row) => [row.name, money(row.balanceUsd)]) },
    {
      title: texts.expiringKeys,
      rows: expiringKeys.map((row) => [row.name, formats.day(Date.parse(row.expiresAt))]),
    },
  ];
}

/** A column of amounts has two decimals each. */
function money(usd: string): string {
  const amount = Number(usd);
  return `${amount < 0 ? "-" : ""}$${
    Math.abs(amount).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  }`;
}
