/** The page of one group. */
export const groupPage = {
  served: (count: number) => count === 1 ? "1 upstream" : `${count} upstreams`,
  unserved: "No upstream",
  multiplier: (ratio: string) => `prices × ${ratio}`,
  cost: "Spend by day",
  spend: "Spend",
  calls: "Calls by day",
  users: (count: number) => count === 1 ? "of 1 user" : `of ${count} users`,
  members: "Users",
  noMembers: "No keys in this group yet.",
  keyCount: (count: number) => count === 1 ? "1 key" : `${count} keys`,
  moreUsers: (count: number) => count === 1 ? "and 1 more user" : `and ${count} more users`,
  noLimits: "No budgets or limits.",
  settings: "Settings",
};
