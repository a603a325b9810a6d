import { noticesDisconnects, testedDeno } from "./disconnect_check.ts";
import { logLine } from "./log.ts";

const check = { bodyBytes: 20_000, waitMs: 1_000 } as const;
/** A busy machine may be slow once. */
const attempts = 2;

/** A Deno that does not notice callers that disconnect, and the command that starts the gateway on a sound one. */
export interface RuntimeFault {
  readonly deno: string;
  readonly command: string;
}

/** Checks the Deno that runs this; it counts as sound until a check has failed. */
export class RuntimeCheck {
  #fault?: RuntimeFault;
  readonly #probe: () => Promise<boolean>;

  constructor(probe: () => Promise<boolean> = () => noticesDisconnects(check)) {
    this.#probe = probe;
  }

  /** Undefined on a sound Deno. */
  get fault(): RuntimeFault | undefined {
    return this.#fault;
  }

  /** Tries the runtime out and logs a fault. A platform that lets nobody listen is not checked. */
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
  "This Deno does not notice callers that disconnect: their calls run on and are charged. Restart with the command";
