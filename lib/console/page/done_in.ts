/** Returns the action that `?done=` names, if there is a text about it. */
export function doneIn<Texts extends object>(url: URL, texts: Texts): keyof Texts | undefined {
  const done = url.searchParams.get("done") ?? "";
  return Object.hasOwn(texts, done) ? done as keyof Texts : undefined; // its own key
}
