import type { about as english } from "../en/about.ts";

/** The facts about the running gateway, in the settings. */
export const about: typeof english = {
  facts: {
    version: "版本",
    deno: "Deno 版本",
    store: "存储",
    since: "启动时间",
    licence: "许可证",
  },
  stores: {
    postgres: (where) => `PostgreSQL，${where}`,
    file: (size) => size === "" ? "本地文件" : `本地文件，${size}`,
    memory: "内存：重启后丢失",
    server: (host) => `KV 服务器 ${host}`,
    attached: "部署平台的数据库",
  },
  health: "检查健康状态",
  documents: "文档",
};
