import type { Catalog } from "../en/mod.ts";

export const bounds: Catalog["bounds"] = {
  owner: {
    key: () => "密钥",
    group: (id) => `分组 ${id}`,
    account: () => "账户",
    project: (id) => `项目 ${id}`,
    organization: () => "组织",
    tag: (id) => `标签 ${id}`,
    session: (id) => `会话 ${id}`,
    child: (id) => `子密钥 ${id}`,
    wallet: () => "钱包",
    provider: (id) => `上游 ${id}`,
  },
  refuser: {
    key: () => "该密钥",
    group: (id) => `分组 ${id} `,
    account: () => "该账户",
    project: (id) => `项目 ${id} `,
    organization: () => "组织",
    tag: (id) => `标签 ${id} `,
    session: (id) => `会话 ${id} `,
    child: (id) => `子密钥 ${id} `,
    wallet: () => "钱包",
    provider: (id) => `上游 ${id} `,
  },
  causedBy: (cause, owner) => `${cause}：${owner}`,
  refusedBy: "拒绝方",
};
