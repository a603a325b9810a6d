import type { keyPage as english } from "./en_key_page.ts";

/** The page of one key, its change and its rotation. */
export const keyPage: typeof english = {
  usage: (days) => `最近 ${days} 天的用量`,
  facts: "设置",
  secret: "密文",
  oldSecret: "旧密文",
  allModels: "分组的全部模型",
  anywhere: "任何地址",
  budgets: "预算",
  noBudgets: "此密钥没有自己的预算。",
  budgetsFailed: "无法载入预算。",
  resets: (time, zone) => `${time} 重置（${zone} 的午夜）`,
  noCalls: "此密钥还没有调用。",
  open: "详情",
  edit: "编辑",
  rotate: "轮换…",
  editTitle: (name) => `编辑 ${name}`,
  save: "保存更改",
  problem: "密钥未更改。请检查下方标出的内容。",
  changed: (name) => `${name} 已更改。`,
  rotateTitle: (name) => `轮换 ${name}？`,
  rotateText: "密钥将获得新的密文。名称、限制和历史保持不变。",
  oldEnds: "旧密文失效于",
  graces: { now: "立即", "1h": "1 小时后", "24h": "24 小时后", "7d": "7 天后" },
  rotateConfirm: (name) => `轮换 ${name}`,
  rotated: (name) => `${name} 有了新的密文`,
};
