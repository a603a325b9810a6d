/** Runs a program and returns what it prints. Throws with its complaints if it fails. */
export async function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd })
    .output();
  const [said, complained] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${command} ${args.join(" ")} failed: ${complained}`);
  return said.trimEnd();
}

/** Does work in a temporary folder, and removes it whatever happens. */
export async function inScratch<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
