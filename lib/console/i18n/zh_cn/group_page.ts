import type { groupPage as english } from "../en/group_page.ts";

/** The page of one group. */
export const groupPage: typeof english = {
  served: (count) => `${count} 个上游`,
  unserved: "没有上游",
  multiplier: (ratio) => `价格 × ${ratio}`,
  cost: "每日支出",
  spend: "支出",
  calls: "每日调用",
  users: (count) => `属于 ${count} 个用户`,
  members: "用户",
  noMembers: "此分组还没有密钥。",
  keyCount: (count) => `${count} 个密钥`,
  moreUsers: (count) => `另有 ${count} 个用户`,
  noLimits: "没有预算或限额。",
  settings: "设置",
};
