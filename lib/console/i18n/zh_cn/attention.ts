import type { attention as english } from "../en/attention.ts";

/** Alerts on the overview. */
export const attention: typeof english = {
  title: "需要关注",
  fixes: {
    calls: "查看原因",
    call: "查看调用",
    key: "打开密钥",
    limit: "查看限额",
    raise: "提高限额",
    funds: "充值",
    upstream: "打开上游",
    extend: "延长有效期",
    price: "设置价格",
  },
  failed: "部分提醒无法载入。",
  calls: (count) => `${count} 次调用`,
  denied: {
    expired: (name, calls) =>
      `${name} 已过期：24 小时内有 ${calls}被拒绝。请续期，或让客户端换用其他密钥。`,
    disabled: (name, calls) =>
      `${name} 已停用：24 小时内有 ${calls}被拒绝。请启用密钥，或停止该客户端。`,
    address: (name, calls, ip) =>
      `${name} 从不允许的 IP 地址使用：24 小时内有 ${calls}被拒绝，最近一次来自 ${ip}。请允许该地址，或轮换密钥。`,
    group: (name, calls) => `${name} 没有分组：24 小时内有 ${calls}被拒绝。请选择分组。`,
    format: (name, calls) =>
      `${name} 使用了其分组不允许的 API 格式：24 小时内有 ${calls}被拒绝。请允许该格式，或调用其他端点。`,
    project: (name, calls) =>
      `${name} 属于已归档的项目：24 小时内有 ${calls}被拒绝。请恢复该项目，或移动该账户。`,
  },
  failedCalls: (calls, cause) => `最近一小时有 ${calls}失败：${cause}`,
  upstreamOut: (id, state) => `上游 ${id} 不可用：${state}`,
  runtimeFault: (name, command) =>
    `${name} 无法检测客户端断开，被放弃的调用会继续运行并计费。请使用以下命令重新启动：${command}`,
  expires: (name, when) => `${name} 将在${when}过期。`,
  unpriced: (model, calls) => `${model} 没有价格，未计费：30 天内 ${calls}。`,
  used: {
    day: (name, percent) => `${name} 已用去每日预算的 ${percent}%。`,
    week: (name, percent) => `${name} 已用去每周预算的 ${percent}%。`,
    month: (name, percent) => `${name} 已用去每月预算的 ${percent}%。`,
    total: (name, percent) => `${name} 已用去总预算的 ${percent}%。`,
  },
  refused: {
    day: (name) => `${name} 的每日预算已用尽，调用被拒绝。`,
    week: (name) => `${name} 的每周预算已用尽，调用被拒绝。`,
    month: (name) => `${name} 的每月预算已用尽，调用被拒绝。`,
    total: (name) => `${name} 的总预算已用尽，调用被拒绝。`,
  },
  low: (name, amount) => `${name} 余额仅剩 ${amount}。`,
  lowRefused: (name, amount) => `${name} 余额仅剩 ${amount}，调用被拒绝。`,
  stated: {
    counted: (name, stated, counted) =>
      `${name} 为一次调用报告了 ${stated} 个 Token，网关统计为 ${counted} 个。已按统计值计费。`,
    stated: (name, stated, counted) =>
      `${name} 为一次调用报告了 ${stated} 个 Token，网关统计为 ${counted} 个。已按报告值计费。`,
  },
  upstream: (id) => `上游 ${id}`,
  project: (id) => `项目 ${id}`,
  organization: "组织",
  tag: (text) => `标签 ${text}`,
  group: (id) => `分组 ${id}`,
  ownAccount: "您的账户",
  keyOf: (name, email) => `${email} 的 ${name}`,
  amounts: (spent, limit) => `${spent}，共 ${limit}`,
  resets: (time) => `${time}重置`,
  undelivered: "Webhook 发送失败，将会重试。",
  abandoned: "Webhook 发送失败，不再重试。",
};
