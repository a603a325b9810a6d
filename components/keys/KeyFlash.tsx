import type { Flash } from "../../lib/console/page/flash.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { type Undo, UndoNotice } from "../layout/notices.tsx";

interface KeyFlashProps {
  readonly view: AccountView;
  readonly flash: Flash | undefined;
  /** The page to return to after an undo. */
  readonly back: string;
}

/** The result of the last change of keys, with an undo where there is one. */
export function KeyFlash({ view, flash, back }: KeyFlashProps) {
  const text = flash && textOf(flash, view);
  if (flash === undefined || text === undefined) return null;
  const undo = undoOf(flash);
  return (
    <UndoNotice
      view={view}
      text={text}
      undo={undo && { ...undo, fields: [...undo.fields, ["back", back]] }}
    />
  );
}

function textOf(flash: Flash, { catalog }: AccountView): string | undefined {
  const { keys, keyList, keyPage, keyAdmin } = catalog;
  switch (flash.type) {
    case "key-enabled":
      return keys.enabled(flash.name);
    case "key-disabled":
      return keys.disabled(flash.name);
    case "key-deleted":
      return keys.deleted(flash.name);
    case "key-changed":
      return keyPage.changed(flash.name);
    case "key-gone":
      return keys.gone;
    case "keys-disabled":
      return keyList.bulkDisabled(flash.count);
    case "keys-enabled":
      return keyList.bulkEnabled(flash.count);
    case "keys-deleted":
      return keyList.bulkDeleted(flash.count);
    case "keys-limited":
      return keyAdmin.limited(flash.count);
    case "keys-none":
      return keyList.bulkNone;
    default:
      return undefined;
  }
}

const bulkPath = "/console/token/bulk";

function undoOf(flash: Flash): Undo | undefined {
  if (flash.type === "key-disabled") {
    return { path: `/console/token/${flash.id}/enabled`, fields: [["enabled", "true"]] };
  }
  if (flash.type === "keys-disabled" && flash.ids.length > 0) {
    return { path: bulkPath, fields: [["action", "enable"], ...keyFields(flash.ids)] };
  }
  if (flash.type !== "keys-limited" || flash.undo === undefined) return undefined;
  const { ids, period, amount } = flash.undo;
  const fields: Undo["fields"] = [
    ["action", "limit"],
    ["sure", "yes"],
    ["period", period],
    ["amount", amount],
  ];
  return { path: bulkPath, fields: [...fields, ...keyFields(ids)] };
}

function keyFields(ids: readonly string[]) {
  return ids.map((id) => ["key", id] as const);
}
