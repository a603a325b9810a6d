/** A page about one record that the reader has opened in this browser. */
export interface Recent {
  readonly name: string;
  /** The place of the menu that it belongs to. */
  readonly note: string;
  readonly href: string;
}

const most = 6;

/** The pages that a reader opened last, without the current one, newest first. */
export function recentOf(reader: string): readonly Recent[] {
  return read(reader).filter(({ href }) => href !== here()).slice(0, most);
}

/** Keeps the current page if it is about one record: such pages name their place, and are no forms. */
export function addRecent(reader: string): void {
  const note = document.querySelector(".topbar .crumb span")?.textContent;
  const name = document.querySelector(".topbar h1")?.textContent;
  if (!note || !name || /\/(new|edit|delete|invite)$/.test(location.pathname)) return;
  const others = read(reader).filter(({ href }) => href !== here());
  const kept = [{ name, note, href: here() }, ...others].slice(0, most + 1);
  try {
    localStorage.setItem(place(reader), JSON.stringify(kept));
  } catch {
    // the browser keeps nothing
  }
}

function read(reader: string): readonly Recent[] {
  try {
    return JSON.parse(localStorage.getItem(place(reader)) ?? "[]");
  } catch {
    return [];
  }
}

function place(reader: string): string {
  return `recent:${reader}`;
}

/** The page's address without the fields of its lists and periods. */
function here(): string {
  const name = new URLSearchParams(location.search).get("name");
  return location.pathname + (name === null ? "" : `?${new URLSearchParams({ name })}`);
}
