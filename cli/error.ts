/** The exit code of each kind of failure. */
export const exitCodes = { failed: 1, usage: 2, unreachable: 3, unauthorized: 4 } as const;

/** A failure that ends a command with a line and an exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(readonly kind: keyof typeof exitCodes, message: string) {
    super(message);
  }
}
