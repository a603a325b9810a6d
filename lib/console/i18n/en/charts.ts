/** Words of every chart. */
export const charts = {
  sum: "Total",
  others: (count: number) => count === 1 ? "1 other" : `${count} others`,
  hoursWithErrors: (errors: number, hours: number) => `${errors} of ${hours} hours with errors`,
};
