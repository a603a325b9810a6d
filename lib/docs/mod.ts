export { highlight } from "./highlight.ts";
export { type DocPage, linkOf, readOutline, readPage } from "./library.ts";
export { anchorsOf, outlineOf, type OutlinePage } from "./outline.ts";
export { type DocMatch, searchDocs } from "./search.ts";
