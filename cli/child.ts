import { createHash } from "node:crypto";
import { Command, Option } from "commander";
import { childSigningKey } from "../lib/child_key.ts";
import { CommandError, type Terminal } from "./terminal.ts";

interface ChildOptions {
  readonly budget?: string;
  readonly models?: string;
  readonly session?: string;
  readonly for: string;
}

/** Adds `child`, which signs a child key with an API key's secret and asks no gateway. */
export function addChild(keys: Command, terminal: Terminal): void {
  const command = keys.command("child")
    .description("Sign a child key for a sub-agent, without the gateway")
    .argument("<name>", "the child's name")
    .option("--budget <usd>", "the most that it may spend, such as 0.50")
    .option("--models <text,text,…>", "the models that it may use; patterns such as gpt-*")
    .option("--session <text>", "the session that it is a sub-agent of")
    .addOption(new Option("--for <time>", "its lifetime, at most 24h").default("1h"))
    .addHelpText(
      "after",
      "\nTESSERA_KEY is the API key whose child it is; without it, you are asked.\n" +
        "\nExample:\n  tessera keys child reviewer --budget 0.50 --for 30m",
    );
  command.action(async () => {
    const secret = terminal.env("TESSERA_KEY") ?? terminal.ask("API key:");
    if (!secret) throw new CommandError("usage", "Set TESSERA_KEY to the API key");
    terminal.print(await signedChild(secret.trim(), command.args[0], command.opts()));
  });
}

async function signedChild(secret: string, name: string, options: ChildOptions): Promise<string> {
  const { importPKCS8, SignJWT } = await import("jose");
  const { budget, session } = options;
  const models = options.models?.split(",").map((one) => one.trim());
  const claims = { budget, session, models }; // JSON leaves out what is absent
  const pem = childSigningKey(secret).toString("base64");
  const key = await importPKCS8(
    `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----`,
    "EdDSA",
  );
  const kid = createHash("sha256").update(secret).digest("hex");
  return await new SignJWT(claims).setProtectedHeader({ alg: "EdDSA", kid }).setSubject(name)
    .setExpirationTime(`${minutesIn(options.for)}m`).sign(key);
}

function minutesIn(time: string): number {
  const [, count, unit] = /^(\d{1,4})([mh])$/.exec(time) ?? [];
  const minutes = Number(count) * (unit === "h" ? 60 : 1);
  if (minutes > 0 && minutes <= 24 * 60) return minutes;
  throw new CommandError("usage", "--for needs minutes or hours up to 24h, such as 30m");
}
