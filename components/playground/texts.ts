import type { Catalog } from "../../lib/console/page/view.ts";

/** The playground's words in the browser; `{name}` in them is filled in there. */
export type PlaygroundTexts = Catalog["playground"]["island"];
