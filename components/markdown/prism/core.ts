import "./manual.ts";
// @ts-types="./prism.d.ts"
import prism from "prismjs/components/prism-core.js";

// The files of its languages look for the library there.
Object.assign(globalThis, { Prism: prism });

export { prism };
