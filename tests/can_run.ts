/** Returns true if a program is installed and ends with 0, within two minutes. */
export async function canRun(program: string, args = ["--version"]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(program, {
      args,
      signal: AbortSignal.timeout(120_000),
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false;
  }
}
