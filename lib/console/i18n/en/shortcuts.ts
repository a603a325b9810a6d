/** The keys that work without a modifier, and their list. */
export const shortcuts = {
  title: "Keyboard shortcuts",
  pages: "Pages",
  page: "This page",
  keys: {
    j: "Next row",
    k: "Previous row",
    enter: "Open row",
    x: "Select row, with Shift a range",
    ".": "Actions of row",
    c: "Create",
    e: "Export",
    escape: "Close or clear selection",
    "/": "Search",
    t: "Theme",
    "?": "Show shortcuts",
  },
  off: "Turn off keyboard shortcuts",
  on: "Turn on keyboard shortcuts",
  areOff: "Keyboard shortcuts are off.",
};
