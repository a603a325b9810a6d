export { outlineOf, type OutlinePage, readSource } from "./outline.ts";
export { slugOf } from "./slug.ts";
