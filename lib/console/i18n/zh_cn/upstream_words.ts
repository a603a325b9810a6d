import type { upstreamWords as english } from "../en/upstream_words.ts";

const address = "请检查基础 URL 的主机和端口";

/** Results of connection tests and route checks. */
export const upstreamWords: typeof english = {
  connection: {
    ok: "连接正常：密钥有效",
    unlisted: "连接正常，但上游不列出模型：请手动填写模型名称",
    busy: "限流：该密钥的限额已用尽，请稍后重试",
    "key-missing": "此上游需要 API 密钥：请填写",
    "key-refused": "上游拒绝了密钥：请检查密钥及其认证请求头",
    sealed: "无法用当前的 TESSERA_SECRET 解密密钥：请重新填写",
    path: "未找到（404）：请检查基础 URL，以及是否应以 /v1 结尾",
    redirect: "上游重定向到另一个 URL：若该 URL 正确，请将其填为基础 URL",
    "not-json": "响应是网页或文本，而不是 JSON：请检查基础 URL",
    "no-list": "响应中没有模型列表：请检查基础 URL 和格式",
    failing: "上游返回错误：请查看下方的消息，或稍后重试",
    timeout: "超时：请检查 URL，以及防火墙是否拦截了连接",
    address: "网关不得连接此地址：请在配置文件中声明该上游",
    name: `DNS 解析失败：请检查主机名和本服务器的网络`,
    refused: `连接被拒绝：${address}，以及服务器是否在运行`,
    unreachable: `无法到达该主机：${address}`,
    certificate: "TLS 证书对此主机名无效或不受信任",
    tls: "服务器未使用 TLS：基础 URL 可能应以 http:// 开头",
    closed: "服务器未响应就关闭了连接",
    headers: "响应头过大",
    "not-http": "服务器未以 HTTP 响应：基础 URL 可能应以 https:// 开头",
    unknown: "连接失败：请查看下方的消息",
  },
  route: {
    native: (format) => `原生支持 ${format}`,
    converted: (format) => `转换为 ${format}`,
    builtIn: "原生支持所有格式",
    priority: (priority) => `优先级 ${priority}`,
    weight: (weight) => `权重 ${weight}`,
    probing: "恢复中：试探调用进行中",
    "half-open": "恢复中：下一次调用为试探",
    cooling: (time) => `限流至 ${time}`,
    open: (time, cause) => `暂停至 ${time}：${cause}`,
    causes: {
      upstream_unauthorized: "其凭据被拒绝",
      upstream_unreachable: "无法连接到它",
    },
    cause: (code) => `失败过多，最近一次为 ${code}`,
    disabled: "已停用",
    credentials: (fault) => `无法解密其凭据：请重新填写（${fault}）`,
    group: (group) => `不服务分组 ${group}`,
    model: (model) => `不服务模型 ${model}`,
  },
};
