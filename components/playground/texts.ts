import type { Catalog } from "../../lib/console/page/view.ts";

/** The playground's texts for the browser, which fills in placeholders such as `{name}`. */
export type PlaygroundTexts = Catalog["playground"]["island"];
