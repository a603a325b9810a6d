import { run } from "./lib/serve.ts";
import { compose } from "./main.ts";

/** The entry point on Deno Deploy, where `import.meta.main`, on which `main.ts` relies, is unproven. */
await run(() => compose());
