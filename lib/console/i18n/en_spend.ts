/** What an account spends, on the overview, in English. */
export const spend = {
  summary: "In short",
  title: "Spend by model",
  measure: "Measure",
  measures: { cost: "Cost", tokens: "Tokens", requests: "Requests" },
  period: "Period",
  days: (days: number) => `${days} days`,
  day: "Day (UTC)",
  total: "Total",
  model: "Model",
  others: "Other models",
  callsOfDay: "Calls of this day",
  chartOf: {
    cost: (days: number, total: string) =>
      `Cost by day and model over ${days} days, ${total} in all`,
    tokens: (days: number, total: string) =>
      `Tokens by day and model over ${days} days, ${total} in all`,
    requests: (days: number, total: string) =>
      `Requests by day and model over ${days} days, ${total} in all`,
  },
  failed: "Spend could not be loaded",
  none: (days: number) => `No calls in these ${days} days`,
  widen: "Widen to 30 days",
  spent: (days: number) => `Spend, ${days} days`,
  change: (percent: string, days: number) => `${percent} % on the ${days} days before`,
  nothingBefore: (days: number) => `Nothing in the ${days} days before`,
  requests: "Requests",
  cost: "Spend",
  good: (percent: number) => `${percent} % ok`,
  failures: (count: number) => `${count} failed`,
  noFailures: "None failed",
  firstByte: "Median time to first byte",
  keys: "API keys by spend",
  keysLabel: "API keys by spend, scrolls sideways",
  allKeys: "All keys",
  deletedKey: "A deleted key",
};
