import type { connect as english } from "./en_connect.ts";

/** How a client is set up. */
export const connect: typeof english = {
  title: "连接客户端",
  clients: "客户端",
  use: "使用此模型",
  paste: "粘贴到终端或程序中。",
  toFile: (file) => `写入 ${file}。`,
  byHand: "在设置中填写。",
  key: "YOUR_KEY 代表您的一个 API 密钥。",
  setting: (client) => `${client} 的设置`,
  copy: (client) => `复制 ${client} 的设置`,
  twice: "若记录中出现 /v1/v1 或重复的路径，说明基础地址过长：路径由客户端自行添加。",
};
