import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isInstalled, programCommand } from "../../../tools/sdks.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import { oneUpstream, startGateway } from "../gateway.ts";

/**
 * The vendor's former SDK (@google/generative-ai 0.24.1) puts a name with a slash bare into the
 * path; the matrix has the other SDKs that do.
 */
const ignore = !await isInstalled();
if (ignore) console.log("The SDKs are not installed: run deno task sdks");

for (const version of ["v1beta", "v1"]) {
  for (const format of ["generate-content", "messages"] as const) {
    Deno.test({
      name: `a name with a slash in the former SDK of generate-content: ${version} → ${format}`,
      ignore,
      fn: async () => {
        await using upstream = startStrict(format);
        const upstreamModel = format === "messages" ? "claude-opus-5" : "gemini-2.5-flash";
        await using gateway = await startGateway(
          oneUpstream({ [format]: upstream.base }, {
            apiKeys: [strictCredential],
            models: [{ id: "acme/large", upstreamModel }],
          }),
        );
        const program = programCommand(
          "older_google.ts",
          gateway.base,
          gateway.key,
          "acme/large",
          version,
        );
        const { command, args } = program;
        const { stdout, stderr } = await new Deno.Command(command, { args }).output();
        assertEquals(new TextDecoder().decode(stderr), "");
        const said = JSON.parse(new TextDecoder().decode(stdout));
        for (const text of [said.whole, said.streamed, said.gathered]) {
          assertStringIncludes(text, "hello slash");
        }
        assert(said.totalTokens > 0);
      },
    });
  }
}
