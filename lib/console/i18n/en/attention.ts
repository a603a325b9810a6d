/** Alerts on the overview. Each sentence begins with its subject. */
export const attention = {
  title: "Needs attention",
  /** The names of the links to the remedies. */
  fixes: {
    calls: "See why",
    call: "Show call",
    key: "Open key",
    limit: "Show limit",
    raise: "Raise limit",
    funds: "Add funds",
    upstream: "Open upstream",
    extend: "Extend",
    price: "Set price",
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
  },
  refused: {
    day: (name: string) => `${name} has spent its daily budget; calls are refused.`,
    week: (name: string) => `${name} has spent its weekly budget; calls are refused.`,
    month: (name: string) => `${name} has spent its monthly budget; calls are refused.`,
    total: (name: string) => `${name} has spent its total budget; calls are refused.`,
  },
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
