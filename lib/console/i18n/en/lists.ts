/** The texts that all lists share, in English. */
export const lists = {
  filter: "Filter",
  clear: "Clear filters",
  order: "Order",
  undo: "Undo",
  retry: "Try again",
  previous: "Previous",
  next: "Next",
  newest: "First page",
  pages: (list: string) => `Pages: ${list}`,
  countOf: (found: number, all: string) => `${found} of ${all}`,
  failedText: (moment: string) => `Find the cause in the server's log at ${moment}.`,
  noMatch: (title: string, filters: number) =>
    `${title} ${filters === 1 ? "the filter" : `${filters} filters`}`,
  noMatchText: "Change the filters, or clear them to see everything.",
  hides: (filter: string, rows: string) => `${filter} hides ${rows}.`,
  without: (filter: string) => `Remove ${filter}`,
};

/** Controls of the sheets on small screens. */
export const sheets = {
  filters: "Filters",
  used: (count: number) => `${count} active`,
  clients: "Choose a client",
  close: "Close",
};

/** Words of every chart. */
export const charts = {
  sum: "Total",
  others: (count: number) => count === 1 ? "1 other" : `${count} others`,
  hoursWithErrors: (errors: number, hours: number) => `${errors} of ${hours} hours with errors`,
};

/** The choice of whose data a page shows. */
export const who = { label: "Whose data", mine: "Mine", everyone: "Everyone" };
