import { formatsFor } from "../../../lib/console/page/format.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openTestConsole, type TestBrowser, type TestConsole } from "../console.ts";
import { administrator, nowMs } from "../people.ts";
import { seedTeam, type Team, teamOf } from "./seed.ts";
import type { TeamSize } from "./size.ts";

/** A seeded console, and the differences found in it. */
export interface FigureScene extends AsyncDisposable {
  readonly console: TestConsole;
  readonly team: Team;
  /** True for the long form, which compares pages in every period. */
  readonly isWhole: boolean;
  readonly admin: TestBrowser;
  /** Sentences about figures that differ from the sum over the rows. */
  readonly differences: readonly string[];
  /** Compares a figure on a page with the sum over the rows. */
  readonly same: (where: string, shown: unknown, expected: unknown) => void;
  /** The number of figures compared. */
  readonly compared: () => number;
}

export async function openFigures(size: TeamSize, isWhole = false): Promise<FigureScene> {
  const { console, close } = await openTestConsole();
  const team = teamOf(size);
  await seedTeam(console.store, team);
  await console.directory.refresh();
  const differences: string[] = [];
  let compared = 0;
  return {
    ...{ console, team, isWhole, differences },
    admin: await console.signedIn(administrator),
    same: (where, shown, expected) => {
      compared++;
      if (shown !== expected) {
        differences.push(`${where}: shows ${shown}, the rows sum up to ${expected}`);
      }
    },
    compared: () => compared,
    [Symbol.asyncDispose]: close,
  };
}

/** Formats as an English reader in UTC sees them. */
export const formats = formatsFor({ locale: "en", timeZone: "UTC", nowMs });

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** The whole UTC hours or days of each period of the pages, the current one included. */
export const periods = {
  "24h": { stepMs: hourMs, steps: 24 },
  "7d": { stepMs: dayMs, steps: 7 },
  "14d": { stepMs: dayMs, steps: 14 },
  "30d": { stepMs: dayMs, steps: 30 },
} as const;
export type PeriodName = keyof typeof periods;

export function spanOf(period: PeriodName) {
  const { stepMs, steps } = periods[period];
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  return { fromMs: toMs - steps * stepMs, toMs, stepMs };
}

export function within(
  rows: readonly RequestLogRow[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly RequestLogRow[] {
  return rows.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
}
