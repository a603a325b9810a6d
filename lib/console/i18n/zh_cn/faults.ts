import type { faults as englishFaults } from "../../../admin/faults.ts";

const bounds = {
  whole: "请输入从 1 开始的整数，或留空。",
  budget: "请输入金额，例如 5 或 0.50，或留空。",
  windows: "请输入数量和时长，例如 1000/5h, 5000/7d，每个时长一次，最多 12 个。",
  rolling: "请输入金额和时长，例如 5/5h, 20/7d，每个时长一次，最多 12 个预算。",
};

const key = {
  nameMissing: "请输入名称。",
  nameLong: "名称最多 60 个字符。",
  nameHidden: "名称不能包含不可见字符或文字方向控制符。",
  nameTaken: "您已有同名的密钥。",
  keysFull: "您的密钥数已达账户上限。请先删除不再使用的密钥。",
  group: "请选择您的一个分组。",
  expiry: "请选择到期时间。",
  date: "请选择今天起十年之内的日期。",
  models: "请输入最多 100 个模型名称，每个最多 200 个字符。",
  addresses: "请输入 IP 地址或 CIDR 网段，最多 100 个。",
  length: "请输入时长，例如 5h、24h 或 7d，或留空。",
  percents: "最多十个 1 到 100 的百分比，例如 50, 80, 100。",
  zone: "未知时区。请输入如 Europe/Berlin 的名称。",
  ...bounds,
};

/** The faults of what is entered, by subject and code. */
export const faults: typeof englishFaults = {
  key,
  token: {
    ...key,
    scopes: "请至少选择一个权限范围。",
    full: "您已有 100 个令牌，达到上限。请先吊销一个；已过期的也计算在内。",
  },
  group: {
    id: "请输入由字母、数字、点、短横线和下划线组成的名称，最多 64 个字符。",
    taken: "已有同名的分组。",
    models: "请输入 1 到 5,000 个模型，每个最多 200 个字符。",
    formats: "请至少选择一种格式。",
    ratio: "请输入 0 到 1000 的数，例如 1.2。",
    ...bounds,
  },
  project: {
    id:
      "请输入由字母、数字、点、短横线和下划线组成的名称，最多 64 个字符，且不能是 new、organization 或 tags。",
    taken: "已有同名的项目。",
    models: "请输入最多 5,000 个模型，每个最多 200 个字符。",
    administrators: "请输入已有账户的电子邮箱，最多 100 个。",
    member: "没有使用此电子邮箱的账户。",
    tag: "请输入标签，例如 team=a。",
    tagTaken: "此标签已有限制。",
    tagsMax: "标签预算已满。请先移除一个。",
    ...bounds,
  },
  user: {
    ...bounds,
    choice: "请选择其中之一。",
    amount: "请输入金额，例如 5 或 0.50，最多一百万。",
    reason: "请输入原因，最多 500 个字符。",
    insufficient: "金额超出余额。",
    email: "请输入邮箱地址，例如 mira@example.com。",
    taken: "该邮箱已有账户。",
  },
  settings: {
    siteName: "请输入 1 到 60 个字符的名称。",
    domains: "请输入域名，例如 example.com，每行一个，最多 100 个。",
    notice: "最多输入 1000 个字符。",
    contact: "最多输入 200 个字符，且只能一行。",
    prompt: "最多输入 16,384 个字符。",
    choice: "请选择其中一项。",
  },
  chain: {
    id: "请输入不超过 200 个字符的名称，不含空格和 *。",
    members:
      "每行输入一个模型，1 至 8 个且互不相同，可附条件，例如 share=10、hours=22:00-06:00、budget=80、stream=yes 或 after=outage,timeout。",
  },
  price: {
    price: "请输入美元金额，例如 2.50；0 表示免费。",
    above: "请输入整数 Token 数。",
    twice: "另一级已从此处开始。",
    from: "请输入日期和时间。",
  },
  upstream: {
    id: "请输入由字母、数字、点、短横线和下划线组成的名称，最多 64 个字符。",
    taken: "已有同名的上游。",
    provider: "请选择一个上游。",
    preset: "请选择其中之一。",
    address: "请输入基础 URL，或选择自带 URL 的预设。",
    refused: (reason) => `${reason}.`,
    host: (name) => `${name} 的 DNS 解析失败。请检查主机名和本服务器的网络。`,
    presetHost: (name) => `${name} 的 DNS 解析失败。请检查本服务器的 DNS 和网络连接。`,
    key: "此上游需要 API 密钥。",
    credentials: "最多 50 个不含空格的密钥，或一个 JSON 格式的凭据来源。",
    newKeys: "请输入不含空格且尚不存在的密钥；总数最多 50 个。",
    models: "最多 5,000 个模型，每个最多 200 个字符。",
    groups: "请输入已存在的分组名称，或 *。",
    whole: "请输入整数。",
    weight: "请输入从 1 开始的整数。",
    costs: (problem) => `请输入倍率（例如 0.8），或与配置文件相同的 JSON：${problem}。`,
    header:
      "请输入由字母、数字和连字符组成的请求头名称，例如 x-api-key。Host 等描述报文本身的请求头不能携带凭据。",
    prefix: "只能输入可打印字符。",
    seconds: "请输入 0.1 到 86,400 之间的秒数。",
    version: "请输入版本，例如 2023-06-01。",
    needed: "此云服务必须填写此项。",
    cloud: "请按云服务控制台中显示的内容填写。",
    source: (reason) => `凭据无法使用：${reason}.`,
  },
  import: {
    nothing: "请至少选择一个要添加或移除的模型。",
    name: "公开名称最多 200 个字符，不含空格，且不得重复。",
    price: "请输入完整的美元价格，例如 2.50；0 表示免费。",
    many: "每次导入最多可为 90 个模型自定价格。",
    full: "总共最多 5,000 个模型。",
  },
  webhook: {
    url: "请输入以 https:// 或 http:// 开头的地址，不含用户名、密码和 #。",
    address: "不允许此地址：它属于私有网络。",
    types: "请至少选择一种事件。",
    format: "请选择一种格式。",
    description: "最多输入 200 个字符。",
    full: "已有 50 个 Webhook，达到上限。请先删除一个。",
  },
};
