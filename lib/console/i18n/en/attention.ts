/** What runs low, on the overview. Sentences begin with who it is about. */
export const attention = {
  title: "Needs attention",
  failed: "Not all alerts could be loaded.",
  calls: (count: string) => count === "1" ? "1 call" : `${count} calls`,
  denied: {
    expired: (name: string, calls: string, _ip: string) =>
      `${name} expired: ${calls} refused in 24 hours. Renew the key, or give the client another one.`,
    disabled: (name: string, calls: string, _ip: string) =>
      `${name} is disabled: ${calls} refused in 24 hours. Enable the key, or stop the client.`,
    address: (name: string, calls: string, ip: string) =>
      `${name} was used from an address that it does not allow: ${calls} refused in 24 hours, the last from ${ip}. Allow the address, or rotate the key.`,
    group: (name: string, calls: string, _ip: string) =>
      `${name} has no group: ${calls} refused in 24 hours. Choose a group.`,
    format: (name: string, calls: string, _ip: string) =>
      `${name} was used in an API format that its group does not allow: ${calls} refused in 24 hours. Allow the format, or call another endpoint.`,
  },
  failedCalls: (calls: string, cause: string) => `${calls} failed in the last hour: ${cause}`,
  upstreamOut: (id: string, state: string) => `Upstream ${id} is not called: ${state}`,
  runtimeFault: (name: string, command: string) =>
    `${name} does not notice callers that disconnect, so their calls run on and are charged. Restart with: ${command}`,
  expires: (name: string, when: string) => `${name} expires ${when}.`,
  unpriced: (model: string, calls: string) => `${model} has no price: ${calls} in 30 days.`,
  used: {
    day: (name: string, percent: number) => `${name} has used ${percent}% of its daily budget.`,
    week: (name: string, percent: number) => `${name} has used ${percent}% of its weekly budget.`,
    month: (name: string, percent: number) => `${name} has used ${percent}% of its monthly budget.`,
    total: (name: string, percent: number) => `${name} has used ${percent}% of its total budget.`,
  },
  refused: {
    day: (name: string) => `${name} is out of its daily budget: calls are refused.`,
    week: (name: string) => `${name} is out of its weekly budget: calls are refused.`,
    month: (name: string) => `${name} is out of its monthly budget: calls are refused.`,
    total: (name: string) => `${name} is out of its total budget: calls are refused.`,
  },
  low: (name: string, amount: string) => `${name} has ${amount} left.`,
  lowRefused: (name: string, amount: string) => `${name} has ${amount} left: calls are refused.`,
  stated: {
    counted: (name: string, stated: string, counted: string) =>
      `${name} states ${stated} tokens for a call in which ${counted} were counted. The call was charged as counted.`,
    stated: (name: string, stated: string, counted: string) =>
      `${name} states ${stated} tokens for a call in which ${counted} were counted. The call was charged as stated.`,
  },
  upstream: (id: string) => `Upstream ${id}`,
  group: (id: string) => `Group ${id}`,
  ownAccount: "Your account",
  keyOf: (name: string, email: string) => `${name} of ${email}`,
  amounts: (spent: string, limit: string) => `${spent} of ${limit}`,
  resets: (time: string) => `resets ${time}`,
  undelivered: "The webhook has not taken this yet; it is tried again.",
  abandoned: "The webhook did not take this; it is not tried again.",
};
