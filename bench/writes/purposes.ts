import type { Writes } from "./meter.ts";

/** The purposes of writes, in the order of tables. */
export const purposes = [
  "call",
  "money",
  "log",
  "rollups",
  "leases",
  "heartbeat",
  "other",
] as const;
type Purpose = typeof purposes[number];

/** The purpose of each kind of key, by the first part of the key. */
const purposeOf: Readonly<Record<string, Purpose>> = {
  waiting_rows: "call",
  allowance_spent: "money",
  lease: "money",
  ledger_usage: "money",
  ledger_cost: "money",
  token_overrun: "money",
  log_page: "log",
  log_by: "log",
  fold_mark: "log",
  waiting_sums: "rollups",
  rollup_turn: "rollups",
  rollup_hour: "rollups",
  rollup_day: "rollups",
  rollup_times_hour: "rollups",
  rollup_times_day: "rollups",
  allowance: "leases",
  isolate: "heartbeat",
  in_flight: "heartbeat",
};

/** Write units by purpose. */
export type UnitsByPurpose = Readonly<Record<Purpose, number>>;

/** Adds up the units of each purpose, per call. */
export function unitsPerCall({ byPrefix }: Writes, calls: number): UnitsByPurpose {
  const units: Record<Purpose, number> = {
    ...{ call: 0, money: 0, log: 0, rollups: 0, leases: 0, heartbeat: 0, other: 0 },
  };
  for (const [prefix, kind] of Object.entries(byPrefix)) {
    units[purposeOf[prefix] ?? "other"] += kind.units / calls;
  }
  return units;
}

export function total(units: UnitsByPurpose): number {
  return purposes.reduce((sum, purpose) => sum + units[purpose], 0);
}
