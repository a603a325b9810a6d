import type { sheets as english } from "../en/sheets.ts";

/** Controls of the sheets on small screens. */
export const sheets: typeof english = {
  filters: "筛选",
  used: (count) => `已启用 ${count} 项`,
  clients: "选择客户端",
  close: "关闭",
};
