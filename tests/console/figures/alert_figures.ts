import { nowMs } from "../people.ts";
import type { FigureScene } from "./scene.ts";
import { alertLines, totals } from "./shown.ts";
import { sumOf } from "./sums.ts";

const hourMs = 3_600_000;

/** The failures of the last hour by cause, and the calls that each line leads to. */
export async function alertFigures(scene: FigureScene): Promise<void> {
  const path = "/console/alerts?who=everyone";
  const lines = alertLines((await scene.admin.get(path)).html)
    .filter(({ text }) => text.includes("failed in the last hour"));
  const { failed } = sumOf(scene.team.rows.filter(({ atMs }) => atMs >= nowMs - hourMs));
  const counts = lines.map(({ text }) => Number(text.replaceAll(",", "").split(" ")[0]));
  scene.same(`${path} failed`, counts.reduce((sum, count) => sum + count, 0), failed);
  scene.same(`${path} causes`, new Set(lines.map(({ href }) => href)).size, lines.length);
  scene.same(`${path} sentences`, new Set(lines.map(({ text }) => text)).size, lines.length);
  for (const [at, { href, text }] of lines.entries()) {
    const { Calls } = totals((await scene.admin.get(href)).html);
    scene.same(`${text} ${href}`, Calls, counts[at].toLocaleString("en"));
  }
}
