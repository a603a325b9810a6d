const bounds = {
  whole: "Enter a whole number of at least 1, or leave this empty.",
  budget: "Enter an amount such as 5 or 0.50, or leave this empty.",
  windows: "Enter counts and lengths such as 1000/5h, 5000/7d, each length once, at most 12.",
  rolling: "Enter amounts and lengths such as 5/5h, 20/7d, each length once, at most 12 budgets.",
};

const key = {
  nameMissing: "Enter a name.",
  nameLong: "A name has at most 60 characters.",
  nameHidden: "Enter a name without invisible characters or text-direction marks.",
  nameTaken: "You already have a key with this name.",
  keysFull: "Your account has reached its maximum number of keys. Delete an unused one first.",
  group: "Choose one of your groups.",
  expiry: "Choose an expiry.",
  date: "Choose a date from today to ten years ahead.",
  models: "Enter at most 100 model names of at most 200 characters each.",
  addresses: "Enter IP addresses or CIDR blocks, at most 100.",
  ...bounds,
  length: "Enter a length such as 5h, 24h or 7d, or leave this empty.",
  percents: "Enter at most ten percentages from 1 to 100, e.g. 50, 80, 100.",
  zone: "Unknown time zone. Enter a name such as Europe/Berlin.",
};

/**
 * The faults of what is entered, by subject and code. The management API answers with these
 * sentences, and they are the English ones of the console.
 */
export const faults = {
  key,
  token: {
    ...key,
    scopes: "Choose at least one scope.",
    full: "You have 100 tokens, the maximum. Revoke one first; expired ones count too.",
  },
  group: {
    id: "Enter a name of at most 64 letters, digits, dots, dashes and underscores.",
    taken: "A group with this name already exists.",
    models: "Enter 1 to 5,000 models of at most 200 characters each.",
    formats: "Choose at least one format.",
    ratio: "Enter a number from 0 to 1000, such as 1.2.",
    ...bounds,
  },
  project: {
    id:
      "Enter a name of at most 64 letters, digits, dots, dashes and underscores, other than new, organization and tags.",
    taken: "A project with this name already exists.",
    models: "Enter at most 5,000 models of at most 200 characters each.",
    administrators: "Enter e-mail addresses of existing accounts, at most 100.",
    member: "No account has this e-mail address.",
    tag: "Enter a tag such as team=a.",
    tagTaken: "The tag has limits already.",
    tagsMax: "There is no room for a budget of another tag. Remove one first.",
    ...bounds,
  },
  user: {
    ...bounds,
    choice: "Choose an option.",
    amount: "Enter an amount such as 5 or 0.50, at most 1,000,000.",
    reason: "Enter a reason of at most 500 characters.",
    insufficient: "The amount exceeds the balance.",
    email: "Enter an e-mail address, such as mira@example.com.",
    taken: "This e-mail address already has an account.",
  },
  settings: {
    siteName: "Enter a name of 1 to 60 characters.",
    domains: "Enter domains such as example.com, one per line, at most 100.",
    notice: "Enter at most 1,000 characters.",
    contact: "Enter at most 200 characters on one line.",
    prompt: "Enter at most 16,384 characters.",
    choice: "Choose an option.",
  },
  chain: {
    id: "Enter a name of at most 200 characters, without spaces and without *.",
    members:
      "Enter 1 to 8 different models, one per line, each with conditions such as share=10, hours=22:00-06:00, budget=80, stream=yes or after=outage,timeout.",
  },
  price: {
    price: "Enter an amount in USD such as 2.50. 0 means free.",
    above: "Enter a whole number of tokens.",
    twice: "Another tier already starts there.",
    from: "Enter a date and a time.",
  },
  upstream: {
    id: "Enter a name of at most 64 letters, digits, dots, dashes and underscores.",
    taken: "An upstream with this name already exists.",
    provider: "Choose an upstream.",
    preset: "Choose an option.",
    address: "Enter a base URL, or choose a preset that has one.",
    /** An address that is not allowed, with the reason in English. */
    refused: (reason: string) => `${reason}.`,
    host: (name: string) =>
      `DNS lookup for ${name} failed. Check the hostname and this server's network.`,
    presetHost: (name: string) =>
      `DNS lookup for ${name} failed. Check this server's DNS and internet connection.`,
    key: "This upstream requires an API key.",
    credentials: "Enter at most 50 keys without spaces, or a credential source in JSON.",
    newKeys: "Enter new keys without spaces, at most 50 in total.",
    models: "Enter at most 5,000 models of at most 200 characters each.",
    groups: "Enter names of existing groups, or *.",
    whole: "Enter a whole number.",
    weight: "Enter a whole number of at least 1.",
    /** Costs that cannot be read, with the reason in English. */
    costs: (problem: string) =>
      `Enter a factor such as 0.8, or JSON as in the configuration file: ${problem}.`,
    header:
      "Enter a header name of letters, digits and dashes, such as x-api-key. Headers about the message itself, such as Host, cannot carry a credential.",
    prefix: "Enter printable characters only.",
    seconds: "Enter seconds, from 0.1 to 86,400.",
    version: "Enter a version such as 2023-06-01.",
    needed: "This cloud needs it.",
    cloud: "Enter it as the cloud's own console shows it.",
    source: (reason: string) => `The credential ${reason}.`,
  },
  /** A choice among the models on an upstream's list. */
  import: {
    nothing: "Select at least one model to add or remove.",
    name: "A public name has at most 200 characters, no spaces, and must be unique.",
    price: "Enter both prices in USD, such as 2.50. 0 means free.",
    many: "You can set custom prices for up to 90 models per import.",
    full: "At most 5,000 models in total.",
  },
  webhook: {
    url: "Enter an address that begins with https:// or http://, without user, password or #.",
    address: "This address is not allowed: it belongs to a private network.",
    types: "Choose at least one event.",
    format: "Choose a format.",
    description: "Enter at most 200 characters.",
    full: "There are 50 webhooks, the maximum. Delete one first.",
  },
};

/** The codes of a subject's faults. */
export type FaultCode<Subject extends keyof typeof faults> = keyof typeof faults[Subject];
