import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { installedCommand } from "../../../tools/agents.ts";
import { type Model, startStrict, strictCredential } from "../../strict/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { oneUpstream, testKey } from "../gateway.ts";
import { freePort, startServer } from "../server_process.ts";
import { agents } from "./agents.ts";
import { runAgent } from "./run_agent.ts";

/** Codex on a socket whose gateway is killed in mid-turn, and starts again. */

const codex = agents.find(({ name }) => name === "Codex, own provider");
const command = installedCommand("codex");
if (command === undefined) console.log("Codex is not installed: run deno task agents");

Deno.test({
  name: "agents: Codex goes on after the gateway was killed in mid-turn; each turn is charged once",
  ignore: command === undefined,
  fn: () =>
    withTempFolder(async (folder) => {
      assert(codex && command !== undefined);
      const home = `${folder}/home`;
      const work = `${home}/work`;
      for (const path of [work, `${home}/tmp`, `${home}/.codex`]) {
        await Deno.mkdir(path, { recursive: true });
      }
      await Deno.writeTextFile(`${work}/note.txt`, "4711\n");
      const { promise: halfSaid, resolve: sayHalf } = Promise.withResolvers<void>();
      let turns = 0;
      const model: Model = ({ answered }) => {
        if (answered === 0) {
          return { calls: [codex.hands.read(`${work}/note.txt`)], hangs: false, text: "Reading." };
        }
        if (++turns > 1) return { calls: [], hangs: false, text: "The note says 4711." };
        sayHalf();
        return { calls: [], hangs: true, text: "The note says something that takes long to say." };
      };
      await using upstream = startStrict("chat-completions", { model });
      const price = { models: [{ id: codex.model, price: { input: 1, output: 1 } }] };
      const options = {
        port: freePort(),
        config: {
          ...oneUpstream({ "chat-completions": upstream.base }, {
            apiKeys: [strictCredential],
            models: [{ id: codex.model, upstreamModel: "m" }],
          }),
          ...price,
        },
      };
      const first = await startServer(folder, options);
      const { env, files } = codex.settings({
        base: first.base,
        key: testKey,
        model: codex.model,
      });
      for (const [path, text] of Object.entries(files)) {
        await Deno.writeTextFile(`${home}/${path}`, text);
      }
      const running = runAgent({
        command,
        args: codex.args("Read note.txt and tell me the number."),
        env: { ...codex.quiet, ...env },
        home,
        folder: work,
        timeoutMs: 120_000,
      });
      await halfSaid;
      await new Promise((resolve) => setTimeout(resolve, 2_500)); // a heart-beat sees the call
      await first.kill();
      const second = await startServer(folder, options);
      const { code, stdout, stderr, timedOut } = await running;
      await second.stop();
      assert(!timedOut, `${stdout} ${stderr}`);
      assertEquals(code, 0, `${stdout} ${stderr}`);
      assertStringIncludes(stdout, "The note says 4711.");
      assertEquals(upstream.seen.length, 3, "a storm of retries");
      const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
      const audit = await auditStore(store);
      const { rows } = await listRequestLogs(store, { limit: 20 });
      store.close();
      assertEquals(audit.differences, []);
      assertEquals(
        rows.map(({ outcome }) => outcome).sort(),
        ["completed", "completed", "truncated"],
      );
    }),
});
