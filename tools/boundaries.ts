import { arrows } from "./boundaries/arrows.ts";
import { breachesIn, ringsIn } from "./boundaries/breaches.ts";
import { readSources } from "./sources.ts";

/**
 * Holds the arrows of ARCHITECTURE.md: the imports that each folder may have, types included, the
 * words that only one place may use, and the absence of circles. Prints each breach and exits with 1.
 */
const texts = readSources();
const breaches = [...ringsIn(arrows), ...breachesIn(texts)];
for (const breach of breaches) console.error(breach);
console.log(`boundaries: ${texts.size} files, ${breaches.length} breaches`);
if (breaches.length > 0) Deno.exit(1);
