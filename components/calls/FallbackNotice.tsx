import { fallbackPath } from "../../lib/console/calls/call_fix.ts";
import type { Flash } from "../../lib/console/page/flash.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { UndoNotice } from "../layout/notices.tsx";

/** The result of a fix that a click made, with its undo. */
export function FallbackNotice({ view, flash }: { view: AccountView; flash: Flash | undefined }) {
  const { fallbackAdded, fallbackRemoved } = view.catalog.callFailure;
  if (flash?.type === "fallback-removed") {
    return <UndoNotice view={view} text={fallbackRemoved(flash.upstream, flash.model)} />;
  }
  if (flash?.type !== "fallback-added") return null;
  const { upstream, model } = flash;
  const fields = [["model", model], ["undo", "true"], ["back", view.path]] as const;
  return (
    <UndoNotice
      view={view}
      text={fallbackAdded(upstream, model)}
      undo={{ path: fallbackPath(upstream), fields }}
    />
  );
}
