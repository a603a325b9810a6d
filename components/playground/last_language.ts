import { type SnippetKind, snippetKinds } from "../../lib/playground/mod.ts";

const name = "playground-code";

/** The language that the reader last opened code in. */
export function lastLanguage(): SnippetKind {
  try {
    const kept = localStorage.getItem(name);
    return snippetKinds.find((one) => one === kept) ?? "curl";
  } catch {
    return "curl"; // browsers can refuse storage
  }
}

export function keepLanguage(language: SnippetKind): void {
  try {
    localStorage.setItem(name, language);
  } catch {
    // the choice holds for this page only
  }
}
