/** Everything that a command uses of the machine. */
export interface Terminal {
  readonly env: (name: string) => string | undefined;
  /** Writes a line to the standard output. */
  readonly print: (line: string) => void;
  /** Writes a line to the standard error. */
  readonly complain: (line: string) => void;
  /** Asks for a line; undefined if there is nobody to ask. */
  readonly ask: (question: string) => string | undefined;
  readonly send: (request: Request) => Promise<Response>;
  /** Aborts when the user interrupts a command that goes on. */
  readonly interrupted: AbortSignal;
}

/** The terminal of this process. */
export function systemTerminal(): Terminal {
  const stop = new AbortController();
  return {
    env: (name) => Deno.env.get(name),
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
    ask: (question) => Deno.stdin.isTerminal() ? prompt(question) ?? undefined : undefined,
    send: (request) => fetch(request),
    get interrupted() {
      listenOnce(stop);
      return stop.signal;
    },
  };
}

/** Without a listener, an interrupt ends the process at once, as it should for short commands. */
function listenOnce(stop: AbortController): void {
  Deno.addSignalListener("SIGINT", () => stop.abort());
}

/** The exit code of each kind of failure. */
export const exitCodes = { failed: 1, usage: 2, unreachable: 3, unauthorized: 4 } as const;

/** A failure that ends a command with a line and an exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(readonly kind: keyof typeof exitCodes, message: string) {
    super(message);
  }
}
