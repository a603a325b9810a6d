export { highlight } from "./highlight.ts";
export { type DocPage, linkOf, readOutline, readPage } from "./library.ts";
export { anchorsOf, outlineOf, type OutlinePage, readAsset } from "./outline.ts";
export { type DocMatch, searchDocs } from "./search.ts";
export { readDescription } from "./api/description.ts";
export { curlOf, exampleText } from "./api/example.ts";
export { fieldOf, type ReferenceField, referenceFields } from "./api/fields.ts";
export { type ApiGroup, apiGroupsOf, apiParts, type ReferenceOperation } from "./api/reference.ts";
