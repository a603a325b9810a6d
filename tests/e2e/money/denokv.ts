import { findProgram, untilListening } from "../../programs.ts";
import { freePort } from "../server_process.ts";

/** The path of the `denokv` server, or undefined if it is not installed. */
export const denokvPath = findProgram("denokv", [`${Deno.env.get("HOME") ?? ""}/.cargo/bin`]);

if (denokvPath === undefined) {
  console.log(
    "denokv is not installed (cargo install denokv): tests of several processes are skipped",
  );
}

export interface DenokvServer extends AsyncDisposable {
  readonly location: { readonly type: "server"; readonly url: string };
  readonly pid: number;
  /** The environment of a gateway that shares it. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment of a gateway on Deno Deploy that it is attached to. */
  readonly deployEnv: Readonly<Record<string, string>>;
  /** Sends SIGSTOP (freeze) or SIGCONT to the server. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
  /** Starts the server again on the same port and file. */
  restart(): Promise<void>;
}

const token = "a-token-of-tests-0123456789";

/** A KV Connect server on a file in `folder`. */
export async function startDenokv(folder: string): Promise<DenokvServer> {
  const port = freePort();
  let process = await spawnDenokv(folder, port);
  const url = `http://127.0.0.1:${port}`;
  const kill = async () => {
    process.kill("SIGKILL");
    await process.status;
  };
  Deno.env.set("DENO_KV_ACCESS_TOKEN", token); // read by Deno.openKv
  const secrets = { TESSERA_SECRET: "a-secret-of-tests", DENO_KV_ACCESS_TOKEN: token };
  return {
    location: { type: "server", url },
    get pid() {
      return process.pid;
    },
    env: { TESSERA_KV: url, ...secrets },
    deployEnv: { ...secrets, TESSERA_KV: "", DENO_KV_DEFAULT_PATH: url },
    signal: (signal) => process.kill(signal),
    kill,
    restart: async () => void (process = await spawnDenokv(folder, port)),
    [Symbol.asyncDispose]: kill,
  };
}

async function spawnDenokv(folder: string, port: number): Promise<Deno.ChildProcess> {
  const process = new Deno.Command(denokvPath ?? "denokv", {
    args: [
      "--sqlite-path",
      `${folder}/denokv.sqlite`,
      "serve",
      "--access-token",
      token,
      "--addr",
      `127.0.0.1:${port}`,
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await untilListening(port);
  return process;
}
