const sdkPrograms = "tests/e2e/sdk/programs";
const sdkChecks = ["ai_sdk", "langchain", "openai_agents"].map((name) =>
  `${sdkPrograms}/${name}.ts`
);

/**
 * `deno task ok`: runs every check, also after a failure, and exits with 1 if any failed.
 * `--no-test` leaves out the tests.
 */
const steps: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: "format", args: ["fmt", "--check", "--quiet"] },
  { name: "lint", args: ["lint", "--quiet"] },
  { name: "types", args: ["task", "--quiet", "check"] },
  {
    name: "types of SDK programs",
    args: ["check", "--quiet", "--config", `${sdkPrograms}/deno.json`, ...sdkChecks],
  },
  { name: "imports", args: ["run", "-A", "tools/boundaries.ts"] },
  { name: "exports", args: ["run", "-A", "tools/exports.ts"] },
  { name: "English", args: ["run", "-A", "tools/english.ts"] },
  { name: "documents", args: ["run", "-A", "tools/documents.ts", "--check"] },
  { name: "command line", args: ["run", "-A", "tools/cli_operations.ts", "--check"] },
  { name: "tests", args: ["task", "--quiet", "test"] },
];

const only = Deno.args.includes("--no-test") ? steps.slice(0, -1) : steps;
const failed: string[] = [];
for (const { name, args } of only) {
  const startedAt = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  console.log(
    `${success ? "ok    " : "FAILED"} ${name} (${
      ((performance.now() - startedAt) / 1000).toFixed(1)
    } s)`,
  );
  if (!success) failed.push(name);
}
if (failed.length > 0) {
  console.error(`not ok: ${failed.join(", ")}`);
  Deno.exit(1);
}
