import { freePort, startServer } from "./processes.ts";
import { keyValues, modelFor } from "./requests.ts";
import { originOf, type Subject } from "./subjects.ts";

const portkeyPackage = "@portkey-ai/gateway@1.15.2";
const litellmPackage = "litellm[proxy]==1.100.0";

export function installPortkey(folder: string): Promise<string | undefined> {
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
  return succeeds("npm", [...args, portkeyPackage]);
}

/** Its README starts it with `npx`; the upstream is named by headers of each request. */
export async function startPortkey(folder: string, upstreamPort: number): Promise<Subject> {
  const port = freePort();
  const server = await startServer({
    command: "node",
    args: [
      `${folder}/node_modules/@portkey-ai/gateway/build/start-server.js`,
      `--port=${port}`,
      "--headless",
    ],
    isSilent: true,
    port,
  });
  const headers = [
    "x-portkey-provider: openai",
    `x-portkey-custom-host: ${originOf(upstreamPort)}/v1`,
  ];
  return { name: "portkey", port, headers, ...server };
}

export async function installLitellm(folder: string): Promise<string | undefined> {
  const failure = await succeeds("python3", ["-m", "venv", `${folder}/python`]);
  if (failure !== undefined) return failure;
  return await succeeds(`${folder}/python/bin/pip`, ["install", "--quiet", litellmPackage]);
}

/** Its documents start it with `litellm --config`. */
export async function startLitellm(folder: string, upstreamPort: number): Promise<Subject> {
  const port = freePort();
  const config = `${folder}/litellm.yaml`;
  await Deno.writeTextFile(config, JSON.stringify(litellmConfig(upstreamPort))); // JSON is YAML
  const server = await startServer({
    command: `${folder}/python/bin/litellm`,
    args: ["--config", config, "--host", "127.0.0.1", "--port", `${port}`],
    env: { PATH: `${folder}/python/bin:${Deno.env.get("PATH")}` },
    isSilent: true,
    port,
  });
  return { name: "litellm", port, ...server };
}

function litellmConfig(upstreamPort: number) {
  return {
    model_list: [{
      model_name: modelFor("chat-completions"),
      litellm_params: {
        model: "openai/bench",
        api_base: `${originOf(upstreamPort)}/v1`,
        api_key: "x",
        input_cost_per_token: 3e-6,
        output_cost_per_token: 15e-6,
      },
    }],
    general_settings: { master_key: keyValues.full },
    litellm_settings: { drop_params: true, telemetry: false },
  };
}

/** Returns the end of a failed command's error output. */
async function succeeds(command: string, args: string[]): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(command, { args }).output();
    return success ? undefined : new TextDecoder().decode(stderr).trim().slice(-300);
  } catch (error) {
    return String(error);
  }
}
