/** Alerts on the overview. Each sentence begins with its subject. */
export const attention = {
  title: "Needs attention",
  /** The names of the links to the remedies. */
  fixes: {
    calls: "See why",
    call: "Show call",
    key: "Open key",
    session: "Open session",
    limit: "Show limit",
    raise: "Raise limit",
    funds: "Add funds",
    upstream: "Open upstream",
    extend: "Extend",
    price: "Set price",
    model: "Open model",
  },
  failed: "Some alerts could not be loaded.",
  calls: (count: string) => count === "1" ? "1 call" : `${count} calls`,
  denied: {
    expired: (name: string, calls: string, _ip: string) =>
      `${name} has expired: ${calls} refused in the last 24 hours. Renew the key, or give the client another one.`,
    disabled: (name: string, calls: string, _ip: string) =>
      `${name} is disabled: ${calls} refused in the last 24 hours. Enable the key, or stop the client.`,
    address: (name: string, calls: string, ip: string) =>
      `${name} was used from an IP address that it does not allow: ${calls} refused in the last 24 hours, most recently from ${ip}. Allow the address, or rotate the key.`,
    group: (name: string, calls: string, _ip: string) =>
      `${name} has no group: ${calls} refused in the last 24 hours. Choose a group.`,
    format: (name: string, calls: string, _ip: string) =>
      `${name} was used with an API format that its group does not allow: ${calls} refused in the last 24 hours. Allow the format, or call another endpoint.`,
    project: (name: string, calls: string, _ip: string) =>
      `${name} belongs to an archived project: ${calls} refused in the last 24 hours. Restore the project, or move the account.`,
  },
  failedCalls: (calls: string, cause: string) => `${calls} failed in the last hour: ${cause}`,
  withKey: (name: string) => ` with key ${name}`,
  ofAccount: (email: string) => ` of ${email}`,
  inGroup: (id: string) => ` in group ${id}`,
  ofProject: (id: string) => ` of project ${id}`,
  all: "All alerts",
  allTitle: "Alerts",
  none: "Nothing needs attention",
  noneText: "Failed calls, budgets, low balances, expiring keys and broken upstreams appear here.",
  upstreamOut: (id: string, state: string) => `Upstream ${id} is unavailable: ${state}`,
  runtimeFault: (name: string, command: string) =>
    `${name} does not detect client disconnects, so abandoned calls keep running and are charged. Restart with: ${command}`,
  expires: (name: string, when: string) => `${name} expires ${when}.`,
  unpriced: (model: string, calls: string) =>
    `${model} has no price, so nobody was charged: ${calls} in 30 days.`,
  used: {
    day: (name: string, percent: number) => `${name} has used ${percent}% of its daily budget.`,
    week: (name: string, percent: number) => `${name} has used ${percent}% of its weekly budget.`,
    month: (name: string, percent: number) => `${name} has used ${percent}% of its monthly budget.`,
    total: (name: string, percent: number) => `${name} has used ${percent}% of its total budget.`,
    rolling: (length: string) => (name: string, percent: number) =>
      `${name} has used ${percent}% of its budget for any ${length}.`,
  },
  refused: {
    day: (name: string) => `${name} has spent its daily budget; calls are refused.`,
    week: (name: string) => `${name} has spent its weekly budget; calls are refused.`,
    month: (name: string) => `${name} has spent its monthly budget; calls are refused.`,
    total: (name: string) => `${name} has spent its total budget; calls are refused.`,
    rolling: (length: string) => (name: string) =>
      `${name} has spent its budget for any ${length}; calls are refused.`,
  },
  retiring: (name: string, day: string) =>
    `${name} is shut down by its vendor on ${day}, and was called in the last week.`,
  low: (name: string, amount: string) => `${name} has ${amount} left.`,
  lowRefused: (name: string, amount: string) => `${name} has ${amount} left; calls are refused.`,
  stated: {
    counted: (name: string, stated: string, counted: string) =>
      `${name} reported ${stated} tokens for a call, but the gateway counted ${counted}. The call was charged for the counted tokens.`,
    stated: (name: string, stated: string, counted: string) =>
      `${name} reported ${stated} tokens for a call, but the gateway counted ${counted}. The call was charged for the reported tokens.`,
  },
  upstream: (id: string) => `Upstream ${id}`,
  group: (id: string) => `Group ${id}`,
  project: (id: string) => `Project ${id}`,
  organization: "The organization",
  tag: (text: string) => `Tag ${text}`,
  ownAccount: "Your account",
  keyOf: (name: string, email: string) => `${name} of ${email}`,
  amounts: (spent: string, limit: string) => `${spent} of ${limit}`,
  resets: (time: string) => `resets ${time}`,
  undelivered: "Webhook delivery failed; it will be retried.",
  abandoned: "Webhook delivery failed; no more retries.",
};

export const overview = {
  title: "Overview",
  done: "Done",
  snippet: "curl",
  baseUrl: "Base URL",
  copyUrl: (what: string) => `Copy the base URL for ${what}`,
  latest: "Latest calls",
  latestAll: "All calls",
  latestNone: "No calls yet.",
};

/** Spend on the overview. */
export const spend = {
  summary: "Summary",
  exportCsv: "Export CSV",
  title: "Spend by",
  dimension: "Break spend down by",
  dimensions: {
    user: "User",
    group: "Group",
    project: "Project",
    key: "Key",
    upstream: "Upstream",
    model: "Model",
    tag: "Tag",
  },
  by: {
    user: "Spend by user",
    group: "Spend by group",
    project: "Spend by project",
    key: "Spend by key",
    upstream: "Spend by upstream",
    model: "Spend by model",
    tag: "Spend by tag",
  },
  deleted: {
    user: "Deleted user",
    group: "Deleted group",
    project: "Deleted project",
    key: "Deleted key",
    upstream: "Deleted upstream",
    model: "Other model",
    tag: "Other tag",
  },
  without: {
    user: "Other users",
    group: "Other groups",
    project: "Without a project",
    key: "Other keys",
    upstream: "Without an upstream",
    model: "Refused or invalid calls",
    tag: "Without a tag",
  },
  withoutTag: (key: string) => `Without ${key}`,
  tagKey: "Tag key",
  rest: "Others",
  others: (count: number) => count === 1 ? "1 other" : `${count} others`,
  measure: "Metric",
  measures: {
    cost: "Cost",
    requests: "Calls",
    tokens: "Tokens",
    upstream: "Upstream cost",
    margin: "Margin",
  },
  trend: "Trend",
  success: "Success",
  share: "Share",
  today: "Today",
  changed: "Change",
  days: (days: number) => `${days} days`,
  nothing: {
    cost: (period: string) => `The calls of this period cost nothing: ${period}.`,
    tokens: (period: string) => `No tokens in this period: ${period}.`,
    requests: (period: string) => `No calls in this period: ${period}.`,
    upstream: (period: string) => `The calls of this period cost nothing upstream: ${period}.`,
    margin: (period: string) => `The calls of this period earned nothing: ${period}.`,
  },
  failed: "Could not load the spend",
  lastCall: (ago: string) => `Last call: ${ago}.`,
  spent: (period: string) => `Spend, ${period}`,
  change: (percent: string, period: string) => `${percent} vs ${period}`,
  nothingBefore: (period: string) => `No spend: ${period}`,
  forecast: (month: string) => `Forecast for ${month}`,
  soFar: (amount: string) => `${amount} so far`,
  soFarOf: (amount: string, limit: string) => `${amount} so far, limit ${limit}`,
  cost: "Spend",
  good: (percent: string) => `${percent} successful`,
  failures: (count: string) => `${count} failed`,
  inAndOut: (input: string, cached: string, output: string) =>
    `${input} in, ${cached} cached, ${output} out`,
  firstByte: "First byte, median",
  speed: (tokens: string) => `${tokens} tokens/s`,
  inUse: "Users with calls",
  ofUsers: (all: string) => all === "1" ? "of 1 user" : `of ${all} users`,
  keys: "API keys",
  allKeys: "All keys",
  keysFailed: "Could not load the keys",
  nearLimit: "Near a limit",
  owners: {
    account: "user",
    key: "key",
    group: "group",
    project: "project",
    tag: "tag",
    organization: "The organization",
  },
  keyOf: (email: string) => `key of ${email}`,
  usedOf: {
    day: (used: string) => `${used} daily`,
    week: (used: string) => `${used} weekly`,
    month: (used: string) => `${used} monthly`,
    total: (used: string) => `${used} in total`,
    rolling: (length: string) => (used: string) => `${used} in any ${length}`,
  },
  upstreams: "Upstreams",
  upstreamsHint: (period: string) => `health in the last 24 hours, cost in ${period}`,
  allUpstreams: "All upstreams",
  upstreamsFailed: "Could not load the upstreams",
  state: "State",
  lastDay: "Last 24 hours",
  successOfDay: "Success, 24 h",
  firstByteOfDay: "First byte, 24 h",
  p95: "p95",
  callsIn: (period: string) => `Calls, ${period}`,
  shareOfSpend: "Share of spend",
};

/** The notice to administrators on every page while the store is unavailable. */
export const store = {
  label: "Store unavailable",
  refused: "Calls are refused and changes are not saved.",
  faults: {
    full: "The store's disk is full. Free some space; the gateway then recovers by itself.",
    read_only:
      "The store's file or folder is read-only. Make both writable for the gateway's user.",
    corrupted:
      "The store's file is damaged. Stop the gateway, restore a backup with deno task restore FILE, and start again.",
    lost:
      "The store's file was deleted or replaced. Stop the gateway, restore a backup with deno task restore FILE, and start again.",
    disk_error:
      "Reading or writing the store's disk fails. Check the disk, its mount, and whether the file is writable.",
    standby: "The database is a read-only standby. Let TESSERA_KV name the primary.",
    no_connection:
      "The database has no connection left. Raise max_connections, or lower pool in TESSERA_KV.",
    denied:
      "The database denies the gateway's role access. Give the role its rights back, or correct its password in TESSERA_KV.",
    missing:
      "The database or its table was dropped. Stop the gateways, restore a backup, and start them again.",
    silent: "The store does not respond. Check its disk, or the database server and the network.",
  },
};

/** The first run: from a new account to the first successful call. */
export const welcome = {
  title: "First steps",
  steps: { account: "Account", provider: "Upstream", call: "First call" },
  about: {
    account: "Create the first administrator account. The set-up link works once.",
    provider:
      "Choose your first upstream. We test the key, then import its models and prices. You can add more upstreams later.",
    call: "Call a model with your key. This page shows when the call is answered.",
  },
  goOn: "Continue",
  providerDone: (count: number) =>
    count === 1 ? "1 upstream serves calls." : `${count} upstreams serve calls.`,
  builtInDone: "The built-in model answers.",
  addProvider: "Add upstream",
  callDone: "A call was answered.",
  noneText: "No upstream yet? Use the built-in model to try the gateway without one.",
  choices: "Presets",
  getKey: (name: string) => `Get a key from ${name}`,
  providerKey: "Upstream API key",
  providerKeyHint: "Stored encrypted. Never shown again, only sent to the upstream.",
  otherAddress: "Custom base URL",
  baseUrl: "Base URL",
  baseUrlHint: "Only for self-hosted servers or per-customer endpoints (e.g. Azure).",
  submit: "Test and save",
  notReady: "The connection test failed, so nothing was saved. Details below.",
  refused: "Not saved. Fix the highlighted fields.",
  builtIn: "Use built-in model",
  keyName: "first-key",
  noSecret: "The secret was already shown once. Lost it? Create another key or rotate this one.",
  printed:
    "The secret was printed in the terminal at the first start. Lost it? Create another key or rotate this one.",
  noKeys: "A key lets a program call the gateway as you.",
  makeKey: "Create key",
  makeAnother: "Create another key",
  call: "Make the first call",
  otherClients: "Other clients",
  finish: "Go to overview",
  skip: "Skip",
};
