import type { attention as english } from "./en_attention.ts";

/** What runs low, on the overview. */
export const attention: typeof english = {
  title: "需要关注",
  calm: "预算和余额都充足",
  calmText: "预算和余额受到监看，即将用尽的会显示在这里。",
  failed: "无法载入提醒",
  used: {
    day: (name, percent) => `${name} 已用去每日预算的 ${percent}%。`,
    week: (name, percent) => `${name} 已用去每周预算的 ${percent}%。`,
    month: (name, percent) => `${name} 已用去每月预算的 ${percent}%。`,
    total: (name, percent) => `${name} 已用去总预算的 ${percent}%。`,
  },
  refused: {
    day: (name) => `${name} 的每日预算不足，调用被拒绝。`,
    week: (name) => `${name} 的每周预算不足，调用被拒绝。`,
    month: (name) => `${name} 的每月预算不足，调用被拒绝。`,
    total: (name) => `${name} 的总预算不足，调用被拒绝。`,
  },
  low: (name, amount) => `${name} 余额仅剩 ${amount}。`,
  lowRefused: (name, amount) => `${name} 余额仅剩 ${amount}，调用被拒绝。`,
  group: (id) => `分组 ${id}`,
  ownAccount: "您的账户",
  keyOf: (name, email) => `${email} 的 ${name}`,
  amounts: (spent, limit) => `${spent}，共 ${limit}`,
  resets: (time) => `${time}重置`,
  undelivered: "Webhook 尚未收下此提醒，稍后会重试。",
  abandoned: "Webhook 未收下此提醒，不再重试。",
};
