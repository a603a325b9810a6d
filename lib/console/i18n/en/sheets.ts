/** Controls of the sheets on small screens. */
export const sheets = {
  filters: "Filters",
  used: (count: number) => `${count} active`,
  clients: "Choose a client",
  close: "Close",
};
