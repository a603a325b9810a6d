import { repeatedExports, unusedExports } from "./exports/exports.ts";
import { readSources } from "./sources.ts";

/**
 * Refuses exports that no other file imports, and names that several files export. Prints each and
 * exits with 1.
 */
const sources = readSources();
const breaches = [...unusedExports(sources), ...repeatedExports(sources)];
for (const breach of breaches) console.error(breach);
console.log(`exports: ${sources.size} files, ${breaches.length} breaches`);
if (breaches.length > 0) Deno.exit(1);
