import { findProgram } from "../../programs.ts";
import { later } from "../../waiting.ts";
import type { AgentRun } from "./run_agent.ts";

/** A program in a terminal, which tmux keeps and draws. */
export interface Terminal extends AsyncDisposable {
  /** The lines that it shows now. */
  screen(): Promise<string>;
  /** Waits until it shows a text, and returns its lines. */
  shows(text: RegExp, waitMs?: number): Promise<string>;
  /** Presses keys as tmux names them, such as `Enter`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a line. */
  enter(line: string): Promise<void>;
}

export const tmux = findProgram("tmux");

const patienceMs = 45_000;
/** A program takes keys that come at once for a paste. */
const betweenKeysMs = 300;

/** Starts a program with its own home and nothing of the tester's surroundings. */
export async function openTerminal(
  { command, args, env, home, folder, path }: Omit<AgentRun, "timeoutMs"> & {
    readonly path: string;
  },
): Promise<Terminal> {
  const socket = `tessera-${crypto.randomUUID()}`;
  const all = { PATH: path, HOME: home, TMPDIR: `${home}/tmp`, TERM: "xterm-256color", ...env };
  const variables = Object.entries(all).map((entry) => entry.join("="));
  const size = ["-x", "100", "-y", "45"];
  const program = ["env", "-i", ...variables, command, ...args];
  await run(socket, ["new-session", "-d", ...size, "-c", folder, ...program]);
  const screen = () => run(socket, ["capture-pane", "-p"]);
  const press = async (...keys: readonly string[]) => {
    await run(socket, ["send-keys", ...keys]);
    await later(betweenKeysMs);
  };
  return {
    screen,
    press,
    async shows(text, waitMs = patienceMs) {
      let shown = "";
      for (const until = performance.now() + waitMs; performance.now() < until;) {
        shown = await screen();
        if (text.test(shown)) return shown;
        await later(100);
      }
      throw new Error(`The terminal does not show ${text}:\n${shown}`);
    },
    async enter(line) {
      await press("-l", line);
      await press("Enter");
    },
    [Symbol.asyncDispose]: async () => {
      await run(socket, ["kill-server"]).catch(() => {}); // it ends with its program
    },
  };
}

async function run(socket: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(tmux ?? "", {
    args: ["-L", socket, "-f", "/dev/null", ...args],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
