/** The address of a page without the result of the last action. */
export function withoutDone(path: string): string {
  const url = new URL(path, "http://localhost");
  url.searchParams.delete("done");
  return url.pathname + url.search;
}

/** Returns the action that `?done=` names, if there is a text about it. */
export function doneIn<Texts extends object>(url: URL, texts: Texts): keyof Texts | undefined {
  const done = url.searchParams.get("done") ?? "";
  return Object.hasOwn(texts, done) ? done as keyof Texts : undefined; // its own key
}
