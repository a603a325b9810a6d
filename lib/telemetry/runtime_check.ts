import { noticesDisconnects, testedDeno } from "./disconnect_check.ts";
import { logLine } from "./log.ts";

const check = { bodyBytes: 20_000, waitMs: 1_000 } as const;
/** A second attempt, because a busy machine may be slow once. */
const attempts = 2;

/**
 * A Deno version that does not detect disconnected clients, and the command that starts the gateway
 * on a working one.
 */
export interface RuntimeFault {
  readonly deno: string;
  readonly command: string;
}

/** Checks the Deno runtime; it counts as working until a check has failed. */
export class RuntimeCheck {
  #fault?: RuntimeFault;
  readonly #probe: () => Promise<boolean>;

  constructor(probe: () => Promise<boolean> = () => noticesDisconnects(check)) {
    this.#probe = probe;
  }

  /** Undefined if the runtime works. */
  get fault(): RuntimeFault | undefined {
    return this.#fault;
  }

  /**
   * Checks the runtime and logs a fault. A platform on which no port can be opened is not checked.
   */
  async run(): Promise<void> {
    try {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        if (await this.#probe()) return;
      }
    } catch {
      return;
    }
    this.#fault = { deno: Deno.version.deno, command: `npx -y deno@${testedDeno} task start` };
    logLine("warn", faultMessage, { ...this.#fault });
  }
}

const faultMessage =
  "This Deno version does not detect clients that disconnect: their calls continue and are charged. Restart with the command";
