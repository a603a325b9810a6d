import type { connect as english } from "../en/connect.ts";

/** Client setup. */
export const connect: typeof english = {
  title: "接入",
  clients: "客户端",
  all: "全部客户端",
  more: "更多客户端",
  guide: "所有客户端的设置指南（英文）",
  key: "密钥",
  system: "系统",
  unix: "macOS、Linux",
  windows: "Windows",
  use: "更新示例",
  paste: "在终端中运行，或用于程序中。",
  toFile: (file) => `请添加到 ${file}。如该文件不存在，请新建。`,
  byHand: "请在客户端的设置中填写。",
  placeholder: (key) => `请将 YOUR_KEY 替换为 ${key} 的密钥值。`,
  noKey: "请将 YOUR_KEY 替换为您的一个 API 密钥的值。",
  filledIn: "您的密钥已经填入，在上方显示之前保持隐藏。复制的内容包含密钥。",
  setting: (client) => `${client} 的设置`,
  copy: (client) => `复制 ${client} 的设置`,
  ccSwitch: "在 CC Switch 中打开",
  ccSwitchText: "CC Switch 会导入基础 URL 和模型。密钥请在其中填写。",
  copyUrl: "复制基础地址",
  twice: "若记录中出现 /v1/v1 或重复的路径，请缩短基础 URL：路径由客户端自行添加。",
  chatAndResponses: "对话补全（Chat completions）、Responses",
  messages: "消息（Messages）",
  generateContent: "生成内容：Gemini CLI 与 SDK",
  generateContentRest: "生成内容：REST",
  notes: {
    "claude-code":
      "请勿同时设置 ANTHROPIC_API_KEY：两个密钥会互相冲突。基础地址不含 /v1，Claude Code 会自行添加。",
    codex: "Codex 需要 Responses 格式：请勿更改 wire_api。密钥应放入环境变量，而不是文件。",
    "gemini-cli":
      "Gemini CLI 询问登录方式时，请选择 API 密钥。基础地址不含 /v1beta，它会自行添加。",
    cursor: "Cursor 从自己的服务器发起调用：网关必须可从互联网访问。",
    zed: "请将 max_tokens 设为该模型的上下文长度。",
    "open-webui": "请在 Open WebUI 中选择模型，它会列出此网关的模型。",
    librechat: "使用 Docker 时，请将该文件挂载为 /app/librechat.yaml 并重启。",
    n8n: "若节点提供“Use Responses API”选项，两种设置均可使用。",
  },
};
