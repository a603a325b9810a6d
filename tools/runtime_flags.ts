/**
 * The runtime's flags of the tasks that start the gateway. `docs/performance.md` says what each
 * saves.
 */
export const runtimeFlags: readonly string[] = [
  "--unstable-no-legacy-abort", // `deno.json` cannot set it (Deno 2.8.2)
  "--v8-flags=--no-memory-reducer,--min-semi-space-size=64,--max-semi-space-size=64",
  "--unstable-lazy-dynamic-imports",
];
