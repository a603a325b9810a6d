/** The choice of whose data a page shows. */
export const who = { label: "Whose data", mine: "Mine", everyone: "Everyone" };
