import type { Catalog } from "../en/mod.ts";

export const caches: Catalog["caches"] = {
  title: "提示词缓存",
  saving: "缓存节省",
  savingText: "相同调用不使用提示词缓存时的费用，减去实际费用。",
  misses: (_count, shown) => `${shown} 次未命中`,
  latest: "最近未命中缓存的调用",
  call: "调用",
  cause: "原因",
  causes: {
    model: "更换了模型",
    upstream: "更换了上游或凭据",
    expired: "缓存已过期",
    unknown: "内容没有变化：上游已不再保留缓存",
    system: "系统提示词发生变化",
  },
  tool: (position) => `第 ${position} 个工具发生变化`,
  message: (position) => `第 ${position} 条消息发生变化`,
  advice: {
    "one-model": "整个会话使用同一个模型：每个模型有各自的缓存",
    "one-upstream":
      "让该模型只使用一个上游和一个凭据，或按优先级排列其他上游：每个上游有各自的缓存",
    lifetime: '请求一小时的有效期（"ttl": "1h"）：两次调用的间隔超过五分钟',
    "stable-prefix": "保持提示词开头不变：把会变化的内容移到不变的内容之后",
    attribution:
      "设置 CLAUDE_CODE_ATTRIBUTION_HEADER=0，或更新 Claude Code：它的第一个系统块在每次调用中都会变化",
    "automatic-caching":
      '为这些调用关闭缓存（"prompt_cache_options": {"mode": "explicit"}），或为该上游关闭（automaticCaching）：没有提示词与之前的开头相同',
    breakpoints:
      "去掉这些调用的 cache_control，或把它移到共同内容的末尾：没有提示词与之前的开头相同",
  },
  because: (cause, advice) => `${cause}。${advice}`,
  neverRead: (name, tokens, amount) =>
    `${name} 在 24 小时内向提示词缓存写入了 ${tokens} 个 Token，但从未读取，比不使用缓存多花费 ${amount}。`,
  session: (id, key) => `${key} 的会话 ${id}`,
};
