import type { lists as english, sheets as englishSheets } from "../en/lists.ts";

/** The texts that all lists share, in Simplified Chinese. */
export const lists: typeof english = {
  filter: "筛选",
  clear: "清除筛选",
  order: "排序",
  undo: "撤销",
  retry: "重试",
  previous: "上一页",
  next: "下一页",
  newest: "第一页",
  pages: (list) => `分页：${list}`,
  countOf: (found, all) => `${all}中的 ${found} 个`,
  failedText: (moment) => `请在服务器日志中查找 ${moment} 的原因。`,
  noMatch: (title, filters) => `${title}（${filters} 个筛选条件）`,
  noMatchText: "请更改筛选条件，或清除筛选以查看全部。",
  hides: (filter, rows) => `${filter} 隐藏了 ${rows}。`,
  without: (filter) => `去掉 ${filter}`,
};

/** Controls of the sheets on small screens. */
export const sheets: typeof englishSheets = {
  filters: "筛选",
  used: (count) => `已启用 ${count} 项`,
  clients: "选择客户端",
  close: "关闭",
};
