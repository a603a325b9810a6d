import { run } from "../../../lib/serve.ts";

/** The gateway whose clock is a second before midnight (UTC) once it gets SIGUSR2. */
const now = Date.now;
const clock = { aheadMs: 0 };
const dayMs = 86_400_000;
Date.now = () => now() + clock.aheadMs;
Deno.addSignalListener("SIGUSR2", () => clock.aheadMs = dayMs - now() % dayMs - 1_000);

const { compose } = await import("../../../main.ts");
await run(() => compose());
