import type { Catalog } from "../en/mod.ts";

/** The frame of the documents, in Simplified Chinese; the documents themselves are in English. */
export const docs: Catalog["docs"] = {
  title: "文档",
  home: "所有页面",
  site: (name) => `${name} 文档`,
  lead:
    "一个 API 密钥，四种 API 格式，任意供应商。在这里查找操作步骤、参考信息和工作原理。（文档为英文）",
  begin: "发起第一次调用",
  pages: "文档页面",
  onThisPage: "本页内容",
  turns: "上一页和下一页",
  previous: "上一页",
  next: "下一页",
  toConsole: "控制台",
  code: (number) => `代码 ${number}`,
  copyCode: (number) => `复制代码 ${number}`,
  table: (number) => `表格 ${number}`,
  similar: "该页面不存在。以下页面与之相近：",
  gone: "该页面不存在。请搜索，或从菜单中选择页面。",
  search: {
    label: "搜索文档",
    placeholder: "搜索文档（/）",
    none: "没有匹配结果",
  },
  found: {
    hint: "请输入一个或多个关键词。",
    count: (count, query) =>
      count === 0
        ? `没有与“${query}”匹配的结果。请减少或更换关键词。`
        : `“${query}”共有 ${count} 个匹配结果`,
  },
  api: {
    lead: "每个操作的字段、错误和示例，以及 webhook 事件。（说明为英文）",
    parts: { gateway: "网关 API", management: "管理 API", events: "Webhook" },
    places: { path: "路径参数", query: "查询参数", header: "请求头" },
    also: "其他地址",
    body: "请求体",
    request: "请求",
    response: (status) => `响应 ${status}`,
    copy: (name) => `复制${name}`,
    errors: "错误",
    required: "必填",
    values: "可选值",
    fields: (count) => `${count} 个字段`,
  },
};
