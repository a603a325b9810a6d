import type { upstreamWords as english } from "../en/upstream_words.ts";

const address = "请检查基础 URL 的主机和端口";

/** How upstreams are found, and why one would serve a call or not, in Chinese. */
export const upstreamWords: typeof english = {
  connection: {
    ok: "有应答，且接受该密钥",
    unlisted: "有应答且接受该密钥，但不列出模型：请手动填写模型名称",
    busy: "有应答，但暂不接受更多调用：该密钥的限额已用尽",
    "key-missing": "需要密钥，但尚未设置：请填写",
    "key-refused": "拒绝该密钥：请检查密钥，以及它是否放在正确的请求头中",
    sealed: "无法用当前的 TESSERA_SECRET 打开密钥：请重新填写",
    path: "该路径下没有内容：请检查基础 URL，尤其是是否应以 /v1 结尾",
    redirect: "它重定向到另一个地址：若该地址正确，请将其填为基础 URL",
    "not-json": "它返回的是网页或文本，不像 API：请检查基础 URL",
    "no-list": "它返回 JSON，但没有模型列表：请检查基础 URL 和格式",
    failing: "它返回了自身的错误：请稍后重试，或查看它的说明",
    timeout: "它未及时应答：请检查地址，以及防火墙是否丢弃了调用",
    address: "不允许从这里调用该地址：请在配置文件中声明",
    name: `无法解析其名称：${address}`,
    refused: `该处没有服务在监听：${address}，以及服务器是否在运行`,
    unreachable: `无法到达其网络：${address}`,
    certificate: "其 TLS 证书对该名称无效，或签发者不受信任",
    tls: "它不使用 TLS，基础 URL 可能应以 http:// 开头",
    closed: "它未应答就关闭了连接",
    headers: "其应答的响应头过大",
    "not-http": "它不以 HTTP 应答，基础 URL 可能应以 https:// 开头",
    unknown: "连接失败：请查看下方说明",
  },
  route: {
    native: (format) => `直接以 ${format} 应答`,
    converted: (format) => `转换为 ${format} 应答`,
    builtIn: "直接以任何格式应答",
    priority: (priority) => `优先级 ${priority}`,
    weight: (weight) => `权重 ${weight}`,
    probing: "正在探测",
    "half-open": "半开：下一次调用将探测它",
    cooling: (time) => `暂停至 ${time}：它要求减少调用`,
    open: (time, cause) => `停用至 ${time}：${cause}`,
    causes: {
      upstream_unauthorized: "其凭据被拒绝",
      upstream_unreachable: "无法连接到它",
    },
    cause: (code) => `失败过多，最近一次为 ${code}`,
    disabled: "已停用",
    credentials: (fault) => `无法打开其凭据：请重新填写（${fault}）`,
    group: (group) => `不服务分组 ${group}`,
    model: (model) => `不服务模型 ${model}`,
  },
};
