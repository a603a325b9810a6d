/** The texts of the documentation's frame, in English. */
export const docs = {
  title: "Documentation",
  home: "All pages",
  site: (name: string) => `${name} docs`,
  lead:
    "One API key, four API formats, any provider. Find steps for a task, look up a fact, or read how Tessera works.",
  begin: "Make a first call",
  pages: "Documentation pages",
  onThisPage: "On this page",
  turns: "Previous and next page",
  previous: "Previous",
  next: "Next",
  toConsole: "Console",
  code: (number: number) => `Code ${number}`,
  copyCode: (number: number) => `Copy code ${number}`,
  table: (number: number) => `Table ${number}`,
  similar: "This page does not exist. These are similar:",
  gone: "This page does not exist. Search for it, or choose one from the menu.",
  search: {
    label: "Search the documentation",
    placeholder: "Search docs ( / )",
    none: "No matches",
  },
  found: {
    hint: "Enter one or more words.",
    count: (count: number, query: string) =>
      count === 0
        ? `No matches for “${query}”. Try fewer or other words.`
        : count === 1
        ? `1 match for “${query}”`
        : `${count} matches for “${query}”`,
  },
  api: {
    lead: "Every operation with its fields, its errors and an example, and the events of webhooks.",
    parts: { gateway: "Gateway API", management: "Management API", events: "Webhooks" },
    places: { path: "Path parameters", query: "Query parameters", header: "Headers" },
    also: "Also at",
    body: "Request body",
    request: "Request",
    response: (status: string) => `Response ${status}`,
    copy: (name: string) => `Copy ${name}`,
    errors: "Errors",
    required: "required",
    values: "One of",
    fields: (count: number) => count === 1 ? "1 field" : `${count} fields`,
  },
};
