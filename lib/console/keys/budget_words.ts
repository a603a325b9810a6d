import { rollingUnits } from "../../canonical/mod.ts";
import type { BudgetPeriod, CalendarPeriod } from "../../store/money/mod.ts";
import type { AccountView } from "../page/view.ts";
import type { BudgetUse } from "./budget_use.ts";

/** The periods that a budget's use is shown for. */
type UsedPeriod = Exclude<CalendarPeriod, "session">;

/** The texts of each calendar period, and those for the length of a rolling window. */
type PeriodTable<Text> = Readonly<Record<UsedPeriod, Text>> & {
  readonly rolling: (length: string) => Text;
};

type Catalog = Pick<AccountView["catalog"], "logPage">;

/** The text of a budget's period from a table of the catalog. */
export function periodText<Text>(
  table: PeriodTable<Text>,
  period: BudgetPeriod,
  catalog: Catalog,
): Text {
  const rolling = rollingUnits(period);
  if (rolling) return table.rolling(lengthText(rolling, catalog));
  return table[period as UsedPeriod]; // every other text is a length
}

/** Such as `5 hours`. */
export function lengthText(
  { count, unit }: { readonly count: number; readonly unit: "minute" | "hour" | "day" },
  { logPage: { limits: { lengths } } }: Catalog,
): string {
  return lengths[unit](count);
}

/** The time at which a budget resets, or the oldest spending of a rolling one stops counting. */
export function resetWords(
  { budget: { period }, endsAtMs, leavesAtMs }: BudgetUse,
  { catalog: { keyList }, formats }: Pick<AccountView, "catalog" | "formats">,
): string | undefined {
  if (endsAtMs !== undefined) return keyList.resets(formats.ahead(endsAtMs));
  if (leavesAtMs !== undefined) return keyList.leaves(formats.ahead(leavesAtMs));
  return period === "total" ? keyList.never : undefined;
}
