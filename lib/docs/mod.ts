export { highlight } from "./highlight.ts";
export { type DocPage, readOutline, readPage } from "./library.ts";
export { linkOf } from "./link.ts";
export { outlineOf, type OutlinePage } from "./outline.ts";
export { type DocMatch, searchDocs } from "./search.ts";
export { anchorsOf } from "./slug.ts";
