import { run } from "../../../lib/serve.ts";

/** The gateway on a clock that is `TESSERA_SHIFT_MS` ahead, for budgets whose period turns. */
const now = Date.now;
const shiftMs = Number(Deno.env.get("TESSERA_SHIFT_MS"));
Date.now = () => now() + shiftMs;

const { compose } = await import("../../../main.ts");
await run(() => compose());
