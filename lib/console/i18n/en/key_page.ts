/** The page of one key: settings, edit and rotation. */
export const keyPage = {
  usage: (days: number) => `Usage, last ${days} days`,
  facts: "Settings",
  secret: "Secret",
  oldSecret: "Old secret",
  allModels: "All models of the group",
  anywhere: "Any address",
  budgets: "Budgets",
  noBudgets: "This key has no budget of its own.",
  budgetsFailed: "Could not load the budgets.",
  resets: (time: string, zone: string) => `Resets ${time} (midnight in ${zone})`,
  noCalls: "No calls with this key yet.",
  denied: "Refused calls not in the log",
  deniedDays: (days: number) => `last ${days} days`,
  deniedLast: "Last:",
  deniedFor: {
    expired: (calls: string) =>
      `${calls} refused because the key had expired. Renew the key, or give the client another one.`,
    disabled: (calls: string) =>
      `${calls} refused because the key was disabled. Enable the key, or stop the client.`,
    address: (calls: string) =>
      `${calls} refused because the key does not allow the address. Allow the address, or rotate the key.`,
    group: (calls: string) => `${calls} refused because the key had no group. Choose a group.`,
    format: (calls: string) =>
      `${calls} refused because the group does not allow the API format. Allow the format, or call another endpoint.`,
    project: (calls: string) =>
      `${calls} refused because the account's project is archived. Restore the project, or move the account.`,
  },
  open: "Details",
  edit: "Edit",
  rotate: "Rotate…",
  editTitle: (name: string) => `Edit ${name}`,
  save: "Save changes",
  problem: "Key not changed. Fix the highlighted fields.",
  changed: (name: string) => `${name} was changed.`,
  rotateTitle: (name: string) => `Rotate ${name}?`,
  rotateText: "The key gets a new secret. Its name, limits and history stay.",
  oldEnds: "Old secret stops working",
  graces: { now: "Now", "1h": "In 1 hour", "24h": "In 24 hours", "7d": "In 7 days" },
  graceHints: {
    now: "Calls with the old secret fail at once",
    "1h": "For a program that you restart now",
    "24h": "Enough for most deployments",
    "7d": "For clients that other people update",
  },
  rotateConfirm: (name: string) => `Rotate ${name}`,
  rotated: (name: string) => `${name} has a new secret`,
};
