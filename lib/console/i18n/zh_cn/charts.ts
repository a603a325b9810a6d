import type { charts as english } from "../en/charts.ts";

/** Words of every chart. */
export const charts: typeof english = {
  sum: "合计",
  others: (count) => `其他 ${count} 项`,
  hoursWithErrors: (errors, hours) => `${hours} 小时中有 ${errors} 小时出错`,
};
