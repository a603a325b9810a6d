import { assert, assertEquals } from "@std/assert";
import { readConfigFile } from "../../../tools/migration/litellm/config_file.ts";
import { planLiteLlm } from "../../../tools/migration/litellm/plan.ts";
import { FieldReport } from "../../../tools/migration/source_object.ts";
import {
  azureConfig,
  azureVariables,
  bedrockConfig,
  bedrockVariables,
  serviceAccount,
  vertexConfig,
  vertexVariables,
} from "./litellm_clouds_sample.ts";
import { withFiles } from "./temp_files.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

async function planOf(config: string, variables: Readonly<Record<string, string>>) {
  const report = new FieldReport();
  let plan: Awaited<ReturnType<typeof planLiteLlm>> | undefined;
  const files = { "config.yaml": config, "service_account.json": JSON.stringify(serviceAccount) };
  await withFiles(files, async (folder) => {
    await Deno.writeTextFile(`${folder}/config.yaml`, config.replaceAll("FOLDER", folder));
    const read = await readConfigFile(`${folder}/config.yaml`);
    const source = { config: read, tables: new Map(), variables: [variables] };
    plan = await planLiteLlm(source, { report, nowMs });
  });
  assert(plan);
  return { plan, fields: report.lines() };
}
for (
  const [c, v] of [[bedrockConfig, bedrockVariables], [vertexConfig, vertexVariables], [
    azureConfig,
    azureVariables,
  ]] as const
) {
  Deno.test("probe" + c.length, async () => {
    const { plan, fields } = await planOf(c, v);
    for (const u of plan.upstreams) {
      console.log(
        u.id,
        u.preset,
        JSON.stringify(u.cloud),
        JSON.stringify(u.endpoints),
        JSON.stringify(u.auth),
        u.credentials,
        JSON.stringify(u.models),
        u.enabled,
        u.priority,
      );
    }
    console.log(plan.notices.join("\n"));
    for (const f of fields) {
      console.log(
        f.place.replace("model_list[]", "") + "." + f.field,
        "|",
        f.outcome,
        "|",
        f.how,
        "|",
        f.examples.join(" "),
        f.count,
      );
    }
  });
}
