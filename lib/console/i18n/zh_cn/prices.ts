import type { prices as english } from "../en/prices.ts";

/** The page of one model: prices, cost calculator and code examples. */
export const prices: typeof english = {
  title: "价格",
  label: "价格",
  perMillion: "每百万 Token",
  price: "价格",
  above: (tokens) => `输入超过 ${tokens} Token`,
  perCall: "每次调用",
  perThousand: (tool) => `${tool} 每千次调用`,
  fields: {
    input: "输入 Token（未缓存）",
    cached: "输入 Token（来自缓存）",
    output: "输出 Token",
    calls: "调用次数",
  },
  calculate: "计算",
  oneCall: "每次调用",
  allCalls: (calls) => `${calls} 次调用`,
  endpoints: "代码示例",
};
