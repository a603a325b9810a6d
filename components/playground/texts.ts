import type { Catalog } from "../../lib/console/i18n/mod.ts";

/** The playground's texts for the browser, which fills in placeholders such as `{name}`. */
export type PlaygroundTexts = Catalog["playground"]["island"];
