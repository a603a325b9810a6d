import type { menu as english } from "../en/menu.ts";

/** The menu of the console's pages. */
export const menu: typeof english = {
  label: "控制台",
  smallLabel: "控制台（小屏幕）",
  use: "使用",
  admin: "管理",
  places: {
    overview: "概览",
    keys: "API 密钥",
    log: "使用记录",
    models: "模型",
    playground: "试验场",
    connect: "接入",
    balance: "余额",
    upstreams: "上游",
    groups: "分组",
    users: "用户",
    projects: "项目",
    codes: "兑换码",
    audit: "审计日志",
    settings: "设置",
    tokens: "API 令牌",
    webhooks: "Webhook",
  },
  tabs: {
    overview: "概览",
    keys: "密钥",
    log: "记录",
    models: "模型",
    more: "更多",
  },
};
