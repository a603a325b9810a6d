import type { MailReader } from "../../mail/mod.ts";
import type { Settings } from "../../store/catalog/mod.ts";
import type { Store } from "../../store/mod.ts";
import type { Catalog } from "../i18n/mod.ts";
import type { Formats } from "../page/format.ts";
import type { MailContent } from "./layout.ts";

/** The gateway that sends. */
export interface MailPlace {
  readonly store: Store;
  /** The console's origin; absent: only mails with a link of their own have one. */
  readonly publicUrl: string | undefined;
  readonly nowMs: number;
}

/** The words and the surroundings of one mail. */
export interface MailScene extends MailPlace {
  readonly catalog: Catalog;
  readonly formats: Formats;
  readonly settings: Settings;
  readonly reader: MailReader;
}

/** A button to a page of the console; none without its public address. */
export function actionTo(
  path: string | undefined,
  label: string | undefined,
  { publicUrl, catalog: { mailTexts } }: MailScene,
): Pick<MailContent, "action"> {
  if (publicUrl === undefined || path === undefined) return {};
  return { action: { label: label ?? mailTexts.open, url: `${publicUrl}${path}` } };
}
