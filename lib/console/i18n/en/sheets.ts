/** What opens and closes the sheets of small screens, in English. */
export const sheets = {
  filters: "Filters",
  used: (count: number) => `${count} in use`,
  clients: "Choose a client",
  close: "Close",
};
