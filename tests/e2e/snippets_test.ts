import { assertEquals, assertStringIncludes } from "@std/assert";
import { type ClientId, settingOf } from "../../lib/console/clients.ts";
import { startGateway } from "./gateway.ts";

const model = "tessera-echo";
const root = new URL("../..", import.meta.url).pathname;

/** What the connect page tells the SDKs of TypeScript, run as it stands there. */
const programs: readonly ClientId[] = ["openai-typescript", "anthropic-typescript", "google-genai"];

for (const id of programs) {
  Deno.test(`snippet: ${id} runs as it is told`, async () => {
    await using gateway = await startGateway();
    const { base: origin, key } = gateway;
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(file, settingOf(id, { origin, model, key }));
    const args = ["run", "-A", "--no-check", "--config", `${root}deno.json`, file];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
    await Deno.remove(file);
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assertEquals(code, 0, said);
    assertStringIncludes(said, "hello");
  });
}

Deno.test({
  name: "snippet: curl runs as it is told",
  ignore: Deno.build.os === "windows" || !await hasCurl(),
  fn: async () => {
    await using gateway = await startGateway();
    const { base: origin, key } = gateway;
    const text = settingOf("curl", { origin, model, key }).replace("curl ", "curl -s ");
    const { code, stdout } = await new Deno.Command("sh", { args: ["-c", text] }).output();
    assertEquals(code, 0);
    const answer = JSON.parse(new TextDecoder().decode(stdout));
    assertStringIncludes(answer.choices[0].message.content, "hello");
  },
});

async function hasCurl(): Promise<boolean> {
  try {
    return (await new Deno.Command("curl", { args: ["--version"], stdout: "null" }).output())
      .success;
  } catch {
    console.log("No curl found: its snippet is not run");
    return false;
  }
}
