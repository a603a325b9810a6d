/** The directory: what the request path reads, held in memory. */
export { OpenChecks } from "../api_keys/connection_check.ts";
export { Directory, type DirectoryOptions } from "./directory.ts";
export type { FormerUse } from "./key_use.ts";
export type { KnownKey } from "./key_cache.ts";
export type { CallTag } from "./known_tags.ts";
