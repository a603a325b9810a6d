import type { modelPrices as english } from "../en/model_prices.ts";

/** The list of model prices, for administrators. */
export const modelPrices: typeof english = {
  title: "模型定价",
  count: (count) => `${count} 个模型`,
  caption: "已提供或自定价格的模型，美元每百万 Token",
  model: "模型",
  source: "价格来源",
  own: "自定",
  catalog: "目录",
  nobody: "未设置",
  declared: "配置文件",
  input: "输入",
  output: "输出",
  cachedInput: "缓存读取",
  cacheWrite: "缓存写入",
  request: "每次调用",
  more: "另含分级、时间表或工具价格",
  none: "—",
  empty: "尚无模型",
  emptyText: "上游提供模型后会显示在这里。",
  fault: {
    model: "请输入模型名称，最多 200 个字符，不含空格。",
    fixed: "此模型由配置文件管理，请在配置文件中修改。",
    price: "请输入美元金额，例如 2.50；0 表示免费。",
  },
};
