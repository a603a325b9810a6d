import type { NamedVerdict, VerdictWords } from "./verdict.ts";

const named = ({ detail }: NamedVerdict) => detail === "" ? "" : `（${detail}）`;
const returned = ({ upstream, status, type }: NamedVerdict) =>
  status === undefined
    ? `${upstream} 出错${type ? `（${type}）` : ""}`
    : `${upstream} 返回 ${status}${type ? `（${type}）` : ""}`;
const rejected = (call: NamedVerdict) => `${call.upstream} 拒绝了该请求${named(call)}`;
const orSecond = ({ oneUpstream, model }: NamedVerdict) =>
  oneUpstream ? `，或为 ${model} 添加第二个上游` : "";
const fixRequest = () => "请修正请求：原样重发仍会失败。";
const shorten = () => "请缩短对话。";
const sendLess = () => "请减少一次发送的内容。";

/** The sentences about failed calls, in Chinese. */
export const verdictWordsZhCn: VerdictWords = {
  space: "",
  saying: (what, said) => {
    const whole = said ? `${what}：${said}` : what;
    return /[。.!?！？…]$/.test(whole) ? whole : `${whole}。`;
  },
  onAll: (tries) => `（${tries} 次尝试均如此）`,
  onLast: (tries) => `（共 ${tries} 次尝试，此为最后一次）`,
  notSent: "问题出在请求本身，因此未发送。",
  notCharged: "未计费。",
  charged: (amount) => `已计费 ${amount}。`,
  deliveredCharged: "已送达的部分会计费。",
  safeToRetry: "可以放心重试。",
  retryStartsOver: "重试会生成新的回答。",
  upstreamReturned: returned,
  upstream: {
    rate_limit_exceeded: (call) => `${call.upstream} 对网关限流${named(call)}`,
    upstream_unauthorized: (call) => `${call.upstream} 拒绝了网关的凭据${named(call)}`,
    upstream_unreachable: ({ upstream }) => `网关无法连接 ${upstream}`,
    compaction_failed: ({ upstream, model }) => `${upstream} 的 ${model} 未写出对话摘要`,
    upstream_invalid_response: ({ upstream }) => `${upstream} 的响应格式有误`,
    upstream_truncated: ({ upstream, answered }) =>
      `${upstream} 在回答${answered ? "途中" : "之前"}断开了连接`,
    upstream_timeout: (call) =>
      call.status === undefined ? `${call.upstream} 超时` : returned(call),
    upstream_overloaded: (call) => `${call.upstream} 过载${named(call)}`,
    upstream_error: (call) =>
      call.answered ? `${call.upstream} 在回答途中出错${named(call)}` : returned(call),
    content_blocked: ({ upstream }) => `${upstream} 拦截了提示词`,
    context_length_exceeded: (call) =>
      `${call.upstream} 认为请求超出 ${call.model} 的长度${named(call)}`,
    model_not_found: (call) => `${call.upstream} 不认识该模型${named(call)}`,
    endpoint_not_served: (call) => `${call.upstream} 没有该端点${named(call)}`,
    invalid_request: rejected,
    invalid_json: rejected,
    unsupported_parameter: rejected,
    body_too_large: rejected,
    insufficient_quota: (call) => `${call.upstream} 表示网关的账户没有额度${named(call)}`,
  },
  gateway: {
    invalid_json: () => "请求体不是有效的 JSON",
    invalid_request: () => "请求中有字段缺失或有误",
    unsupported_parameter: ({ model }) => `请求使用了 ${model} 不支持的参数`,
    content_blocked: () => "上游拦截了提示词",
    context_length_exceeded: ({ model }) => `对话超出了 ${model} 的长度`,
    conversion_lossy: () => "请求无法无损转换，而 tessera-strict 禁止有损转换",
    invalid_api_key: () => "网关未接受该 API 密钥",
    insufficient_quota: ({ limitName, limitLeft }) =>
      limitName
        ? `${limitName}${limitLeft ? `仅剩 ${limitLeft}，` : ""}不足以支付本次调用`
        : "余额或预算不足以支付本次调用",
    model_not_allowed: ({ refuserName, model }) => `${refuserName}不允许使用 ${model}`,
    format_not_allowed: ({ refuserName }) => `${refuserName}不允许此 API 格式`,
    ip_not_allowed: () => "该密钥不能从此地址使用",
    model_unpriced: ({ model }) => `${model} 没有价格`,
    tier_unpriced: ({ model }) => `${model} 的服务层级、区域或后备模型没有价格`,
    model_not_found: ({ model }) => `此网关没有模型“${model}”`,
    response_not_found: () => "所存的响应不存在",
    previous_response_not_found: () => "先前的响应不存在",
    conversation_not_found: () => "该对话不存在",
    item_not_found: () => "该条目不存在",
    unknown_endpoint: () => "网关没有该端点",
    endpoint_not_served: ({ model }) => `${model} 的上游都没有该端点`,
    duplicated_path_segment: () => "客户端的基础地址多了一段路径",
    method_not_allowed: () => "该端点不允许此 HTTP 方法",
    body_timeout: () => "请求体未及时到达",
    request_in_progress: () => "使用此 Idempotency-Key 的首次调用仍在进行",
    idempotency_key_reused: () => "此 Idempotency-Key 已用于另一个请求",
    answer_not_stored: () => "使用此 Idempotency-Key 的首次调用的响应未存储",
    body_too_large: () => "请求体太大",
    body_too_complex: () => "请求体太复杂",
    unsupported_media_type: () => "请求体未以 JSON 发送",
    websocket_unsupported: () => "网关在此地址不开放 WebSocket",
    rate_limit_exceeded: ({ limitName, model }) =>
      limitName ? `${limitName}已达上限` : `${model} 的所有上游都在对网关限流`,
    client_closed: () => "客户端在回答完成前断开",
    internal_error: () => "网关出错",
    upstream_error: () => "上游出错",
    compaction_failed: ({ model }) => `${model} 未写出对话摘要`,
    upstream_invalid_response: () => "上游的响应格式有误",
    upstream_unauthorized: () => "上游拒绝了网关的凭据",
    upstream_unreachable: () => "网关无法连接上游",
    upstream_truncated: () => "上游在回答途中断开了连接",
    no_upstream: ({ model }) => `目前没有上游能提供 ${model}`,
    upstream_overloaded: () => "上游过载",
    gateway_overloaded: () => "网关没有内存处理又一个大请求",
    store_unavailable: () => "网关的存储无法记录该调用",
    shutting_down: () => "网关正在停止",
    upstream_timeout: () => "上游超时",
    interrupted: () => "服务器在回答完成前重启",
  },
  upstreamRemedies: {
    rate_limit_exceeded: (call) => `请稍后重试${orSecond(call)}。`,
    upstream_overloaded: (call) => `请稍后重试${orSecond(call)}。`,
    upstream_unauthorized: () => "须由管理员更换凭据。",
    insufficient_quota: () => "须由管理员在上游充值。",
    upstream_unreachable: (call) => `请稍后重试${orSecond(call)}。`,
    invalid_request: fixRequest,
    invalid_json: fixRequest,
    unsupported_parameter: () => "请去掉该参数，或换用其他模型。",
    body_too_large: sendLess,
    context_length_exceeded: shorten,
    content_blocked: () => "请换一种说法。",
    model_not_found: () => "须由管理员更正该上游的模型。",
    endpoint_not_served: () => "请换用其他模型，或请管理员添加具备该端点的上游。",
  },
  remedies: {
    invalid_json: () => "请检查引号、逗号以及内容是否完整。",
    invalid_request: fixRequest,
    unsupported_parameter: () => "请去掉该参数，或换用其他模型。",
    content_blocked: () => "请换一种说法。",
    context_length_exceeded: shorten,
    conversion_lossy: () => "请去掉该请求头，或选择同格式的模型。",
    invalid_api_key: () => "请检查密钥是否完整、已启用且未过期。",
    insufficient_quota: () => "请充值、提高预算，或等待下一个周期。",
    model_not_allowed: () => "请从 GET /v1/models 中选择，或更改该规则。",
    format_not_allowed: () => "请调用其他端点，或为分组允许该格式。",
    ip_not_allowed: () => "请在密钥设置中允许该地址。",
    model_unpriced: () => "须由管理员设定价格，或允许无价格的模型。",
    tier_unpriced: () => "请去掉它，或请管理员设定价格。",
    model_not_found: () => "请从 GET /v1/models 中选择模型。",
    response_not_found: () => "它已过期，或属于另一个账户。",
    previous_response_not_found: () => "请改为发送完整的输入。",
    conversation_not_found: () => "它已被删除，或属于另一个账户。",
    item_not_found: () => "请完整发送该条目。",
    unknown_endpoint: () => "请检查客户端的基础地址。",
    endpoint_not_served: () => "请换用其他模型，或请管理员添加具备该端点的上游。",
    duplicated_path_segment: () => "请从基础地址中删除该段。",
    method_not_allowed: () => "请使用错误信息中指出的方法。",
    body_timeout: () => "请检查网络后重新发送。",
    request_in_progress: () => "请使用相同的键重试。",
    idempotency_key_reused: () => "请为每个请求使用新的键。",
    answer_not_stored: () => "如需再次调用模型，请使用新的键。",
    body_too_large: sendLess,
    body_too_complex: sendLess,
    unsupported_media_type: () => "请以 application/json 发送请求体。",
    websocket_unsupported: () => "请使用 HTTP 流式传输。",
    rate_limit_exceeded: ({ limitName }) =>
      limitName ? "请稍后重试，或提高限额。" : "请稍后重试，或添加另一个上游。",
    client_closed: () => "请检查客户端自己的超时设置。",
    internal_error: () => "请把请求 ID 告知管理员。",
    upstream_unauthorized: () => "须由管理员更换凭据。",
    no_upstream: ({ model }) => `请稍后重试，或为 ${model} 添加另一个上游。`,
    gateway_overloaded: () => "请稍后重试。",
    store_unavailable: () => "请稍后重试；管理员可在网关日志中找到解决办法。",
    interrupted: () => "请重新发送该调用。",
  },
};
