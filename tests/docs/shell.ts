import { testKey } from "../e2e/gateway.ts";
import { root } from "./blocks.ts";

const runSecondsMax = 60;

/** The output of a block; `ok` if each of its commands succeeded. */
export interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shell in a folder of its own, with the programs that the documents call. */
export interface Shell extends AsyncDisposable {
  readonly folder: string;
  readonly run: (code: string) => Promise<Ran>;
}

/**
 * `deno` and `npx -y deno@…` are the running Deno, in the repository, with the store and the backups
 * of the shell's own folder. `curl` fails on error statuses. `$TOKEN` is an API token.
 */
export async function openShell(base: string, token = ""): Promise<Shell> {
  const folder = await Deno.makeTempDir();
  const bin = await Deno.makeTempDir();
  const deno = `kv=\${TESSERA_KV:-data/tessera.db}
case $kv in /*|:*|http*) ;; *) kv=$PWD/$kv ;; esac
export TESSERA_KV=$kv NO_COLOR=1
args=()
for arg; do
  case $arg in /*) ;; *.db|*.jsonl*|*.sql|*.yaml|.env) arg=$PWD/$arg ;; esac
  args+=("$arg")
done
cd ${root.pathname} && exec ${Deno.execPath()} "\${args[@]}"`;
  const scripts = {
    deno,
    npx: 'shift 2; exec deno "$@"',
    curl: 'exec /usr/bin/curl -sS --fail-with-body "$@"',
  };
  for (const [name, script] of Object.entries(scripts)) {
    await Deno.writeTextFile(`${bin}/${name}`, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }
  const env = {
    BASE_URL: base,
    KEY: testKey,
    TOKEN: token,
    MODEL: "tessera-echo",
    DENO_INSTALL_ROOT: folder,
    PATH: `${bin}:${folder}/bin:${Deno.env.get("PATH")}`,
  };
  return {
    folder,
    run: (code) => runIn(folder, env, code),
    [Symbol.asyncDispose]: async () => {
      await Deno.remove(folder, { recursive: true });
      await Deno.remove(bin, { recursive: true });
    },
  };
}

async function runIn(cwd: string, env: Record<string, string>, code: string): Promise<Ran> {
  // `timeout` ends what the shell started, too.
  const { success, stdout, stderr } = await new Deno.Command("timeout", {
    args: [`${runSecondsMax}`, "bash", "-euo", "pipefail", "-c", code],
    cwd,
    env,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { ok: success, stdout: text(stdout), stderr: text(stderr) };
}
