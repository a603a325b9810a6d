import { withoutHidden } from "../../canonical/mod.ts";
import { type LogView, logViewsMax, type ReadingChoices } from "../../store/users/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Flash } from "../page/flash.ts";

/** A change of a user's views, and the notice after it. */
interface ViewChange {
  readonly apply: (choices: ReadingChoices) => ReadingChoices;
  readonly flash: () => Flash;
}

const nameLengthMax = 60;
const queryLengthMax = 2_000;
/** Address fields of the position in the log, which a view leaves out. */
const passing = ["before", "live"];

/** The view that the form saves; undefined without a name. */
export function readLogView(form: URLSearchParams): LogView | undefined {
  const name = withoutHidden(form.get("name") ?? "").trim().replace(/\s+/g, " ");
  const fields = new URLSearchParams((form.get("query") ?? "").slice(0, queryLengthMax));
  for (const field of passing) fields.delete(field);
  return name === "" || name.length > nameLengthMax ? undefined : { name, query: String(fields) };
}

/** Saves a view; replaces one of the same name. */
export function savedView(view: LogView | undefined): ViewChange {
  if (view === undefined) {
    return { apply: (choices) => choices, flash: () => ({ type: "view-nameless" }) };
  }
  let full = false;
  return {
    apply: (choices) => {
      const others = choices.logViews.filter(({ name }) => name !== view.name);
      full = others.length >= logViewsMax;
      if (full) return choices;
      const logViews = [...others, view].sort((a, b) => a.name < b.name ? -1 : 1);
      return { ...choices, logViews };
    },
    flash: () => full ? { type: "views-full" } : { type: "view-saved", name: view.name },
  };
}

export function deletedView(name: string): ViewChange {
  return {
    apply: ({ logViews, ...rest }) => ({
      ...rest,
      logViews: logViews.filter((view) => view.name !== name),
    }),
    flash: () => ({ type: "view-deleted", name }),
  };
}

/** The notice about a change of views; undefined for other flash messages. */
export function viewNotice(flash: Flash, { logPage }: Catalog): string | undefined {
  switch (flash.type) {
    case "view-saved":
      return logPage.viewSaved(flash.name);
    case "view-deleted":
      return logPage.viewDeleted(flash.name);
    case "views-full":
      return logPage.viewsFull;
    case "view-nameless":
      return logPage.viewNameMissing;
    default:
      return undefined;
  }
}
