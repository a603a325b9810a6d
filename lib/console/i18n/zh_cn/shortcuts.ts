import type { shortcuts as english } from "../en/shortcuts.ts";

/** The keys that work without a modifier, and their list. */
export const shortcuts: typeof english = {
  title: "键盘快捷键",
  pages: "页面",
  page: "本页",
  keys: {
    j: "下一行",
    k: "上一行",
    enter: "打开该行",
    x: "选择该行，按住 Shift 选择一段",
    ".": "该行的操作",
    c: "新建",
    e: "导出",
    escape: "关闭或取消选择",
    "/": "搜索",
    t: "切换主题",
    "?": "显示快捷键",
  },
  off: "关闭键盘快捷键",
  on: "开启键盘快捷键",
  areOff: "键盘快捷键已关闭。",
};
