import type { Catalog } from "../en/mod.ts";

export const lists: Catalog["lists"] = {
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

export const sheets: Catalog["sheets"] = {
  filters: "筛选",
  used: (count) => `已启用 ${count} 项`,
  clients: "选择客户端",
  close: "关闭",
};

export const charts: Catalog["charts"] = {
  sum: "合计",
  others: (count) => `其他 ${count} 项`,
  hoursWithErrors: (errors, hours) => `${hours} 小时中有 ${errors} 小时出错`,
};

export const who: Catalog["who"] = { label: "数据范围", mine: "我的", everyone: "所有人" };
