import type { sheets as english } from "../en/sheets.ts";

/** What opens and closes the sheets of small screens, in Simplified Chinese. */
export const sheets: typeof english = {
  filters: "筛选",
  used: (count) => `已用 ${count} 项`,
  clients: "选择客户端",
  close: "关闭",
};
