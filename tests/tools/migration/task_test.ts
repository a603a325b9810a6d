import { assert, assertEquals, assertMatch } from "@std/assert";
import { compose } from "../../../main.ts";
import { startUpstream } from "../../e2e/fake_upstream.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { startHolder } from "../../store/store_holder.ts";
import { runTask, type TaskEnd } from "../run_task.ts";
import {
  litellmConfig,
  litellmDump,
  litellmKey,
  litellmSecrets,
  litellmVariables,
} from "./litellm_sample.ts";
import { makeNewApi, newApiKey, newApiSecrets } from "./new_api_sample.ts";
import { withFiles } from "./temp_files.ts";

const script = "store/import.ts";
const envFile = Object.entries(litellmVariables).map(([name, value]) => `${name}=${value}\n`).join(
  "",
);
const litellmFiles = { "config.yaml": litellmConfig, "dump.sql": litellmDump, ".env": envFile };

/** Runs the import of the sample from a folder into its store. */
function importLiteLlm(folder: string, ...options: readonly string[]) {
  const files = [`${folder}/config.yaml`, `${folder}/dump.sql`, "--env", `${folder}/.env`];
  return runTask(script, ["litellm", ...files, ...options], { TESSERA_KV: `${folder}/tessera.db` });
}

Deno.test("deno task import litellm: keys go on working, and no secret is printed", async () => {
  await withFiles(litellmFiles, async (folder) => {
    const { code, stdout, stderr } = await importLiteLlm(folder);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^1 group created\n/);
    assertMatch(stdout, /\n5 upstreams created\n/);
    assertMatch(
      stdout,
      /\nCreated 15 records from LiteLLM; fields: \d+ taken, \d+ changed, \d+ not known\n$/,
    );
    for (const secret of litellmSecrets) assert(!stdout.includes(secret), secret);
    const gateway = await compose({ TESSERA_KV: `${folder}/tessera.db` });
    try {
      assertEquals(await modelsOf(gateway, litellmKey), ["gpt-4o"]);
      assertEquals(await modelsOf(gateway, "sk-other"), 401);
    } finally {
      await gateway.close();
    }
  });
});

Deno.test("deno task import litellm: an imported key calls an imported upstream by an alias", async () => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
  const answer = chatAnswer({ content: "hi" }, { model: "own-name", usage });
  await using upstream = startUpstream(() => Response.json(answer));
  const secret = "sk-moved-in-0123456789";
  const config = `
model_list:
  - model_name: house/*
    litellm_params:
      model: openai/*
      api_base: ${upstream.base}/v1
      api_key: os.environ/HOUSE_KEY
  - model_name: fast
    litellm_params:
      model: openai/own-name
      api_base: ${upstream.base}/v1
      api_key: os.environ/HOUSE_KEY
      input_cost_per_token: 0.000001
      output_cost_per_token: 0.00001
router_settings: { model_group_alias: { quick: fast } }
general_settings: { master_key: ${secret} }
`;
  await withFiles(
    { "config.yaml": config, ".env": "HOUSE_KEY=key-of-the-house\n" },
    async (folder) => {
      const env = { TESSERA_KV: `${folder}/tessera.db` };
      const args = ["litellm", `${folder}/config.yaml`, "--env", `${folder}/.env`];
      assertEquals((await runTask(script, args, env)).code, 0);
      const gateway = await compose(env);
      try {
        for (const model of ["quick", "house/some-model"]) {
          const body = JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] });
          const request = new Request("http://localhost/v1/chat/completions", {
            method: "POST",
            headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
            body,
          });
          const response = await gateway.fetch(request, info);
          assertEquals((await response.json()).choices[0].message.content, "hi");
        }
      } finally {
        await gateway.close();
      }
    },
  );
  const seen = upstream.seen.map(({ path, headers, body }) => [
    path,
    headers.get("authorization"),
    JSON.parse(body).model,
  ]);
  assertEquals(seen, [
    ["/v1/chat/completions", "Bearer key-of-the-house", "own-name"],
    ["/v1/chat/completions", "Bearer key-of-the-house", "some-model"],
  ]);
});

const info = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;

Deno.test("deno task import new-api: keys go on working with sk- in front", async () => {
  await withFiles({}, async (folder) => {
    makeNewApi(`${folder}/one-api.db`);
    const env = { TESSERA_KV: `${folder}/tessera.db` };
    const { code, stdout, stderr } = await runTask(
      script,
      ["new-api", `${folder}/one-api.db`],
      env,
    );
    assertEquals([code, stderr], [0, ""]);
    for (const secret of newApiSecrets) assert(!stdout.includes(secret), secret);
    const gateway = await compose(env);
    try {
      const request = new Request("http://localhost/v1/models", {
        headers: { authorization: `Bearer sk-${newApiKey}`, "x-forwarded-for": "203.0.113.7" },
      });
      const remoteAddr = { ...info.remoteAddr, hostname: "203.0.113.7" };
      const response = await gateway.fetch(request, { ...info, remoteAddr });
      const { data } = await response.json();
      assertEquals(data.map(({ id }: { id: string }) => id).sort(), ["gpt-4", "gpt-4o"]);
    } finally {
      await gateway.close();
    }
  });
});

type Gateway = Awaited<ReturnType<typeof compose>>;

/** The models that a key sees, or the status of the refusal. */
async function modelsOf(gateway: Gateway, key: string): Promise<string[] | number> {
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request("http://localhost/v1/models", { headers });
  const response = await gateway.fetch(request, info);
  const body = await response.json();
  return response.ok ? body.data.map(({ id }: { id: string }) => id) : response.status;
}

Deno.test("deno task import: a dry run creates no store, and says what a run then does", async () => {
  await withFiles(litellmFiles, async (folder) => {
    const dry = await importLiteLlm(folder, "--dry-run", "--json");
    assertEquals([dry.code, dry.stderr], [0, ""]);
    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
    assertEquals(names, [".env", "config.yaml", "dump.sql"]);
    const [planned, done] = [dry, await importLiteLlm(folder, "--json")].map(({ stdout }) =>
      JSON.parse(stdout)
    );
    assertEquals([planned.dry_run, done.dry_run], [true, false]);
    assertEquals(planned.records, done.records);
    assertEquals(planned.fields, done.fields);
    const again = JSON.parse((await importLiteLlm(folder, "--dry-run", "--json")).stdout);
    const results = again.records.map(({ result }: { result: string }) => result);
    assertEquals(new Set(results), new Set(["present"]));
    for (const secret of litellmSecrets) assert(!dry.stdout.includes(secret), secret);
  });
});

Deno.test("deno task import: says how it is used, and what is wrong with a file", async () => {
  await withFiles({ "config.yaml": "a: [" }, async (folder) => {
    const env = { TESSERA_KV: `${folder}/tessera.db` };
    const runs = [
      [],
      ["litellm"],
      ["new-api", "a", "b"],
      ["new-api", `${folder}/none.db`],
      ["litellm", `${folder}/config.yaml`],
      ["litellm", "--help"],
    ];
    const outputs: TaskEnd[] = [];
    for (const args of runs) outputs.push(await runTask(script, args, env));
    const [all, litellm, newApi, missing, broken, help] = outputs;
    assertMatch(all.stderr, /^Usage: deno task import FILE, or deno task import litellm CONFIG/);
    assertMatch(litellm.stderr, /^Usage: deno task import litellm CONFIG \[DATABASE\]/);
    assertMatch(newApi.stderr, /^Usage: deno task import new-api DATABASE/);
    assertMatch(missing.stderr, /^Cannot import: there is no file .*none\.db\n$/);
    assertMatch(broken.stderr, /^Cannot import: .*config\.yaml is not YAML: .* in line 1\n$/);
    assertEquals([help.code, help.stdout.slice(0, 6)], [0, "Usage:"]);
    assertEquals(outputs.slice(0, 5).map(({ code }) => code), [1, 1, 1, 1, 1]);
  });
});

Deno.test("deno task import: waits for no running gateway", async () => {
  await withFiles(litellmFiles, async (folder) => {
    const holder = await startHolder(`${folder}/tessera.db`);
    const { code, stderr } = await importLiteLlm(folder).finally(holder.kill);
    assertEquals(code, 1);
    assertMatch(stderr, /Stop the gateway first\n$/);
  });
});
