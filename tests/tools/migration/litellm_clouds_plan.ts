import { assert } from "@std/assert";
import { readConfigFile } from "../../../tools/migration/litellm/config_file.ts";
import { planLiteLlm } from "../../../tools/migration/litellm/plan.ts";
import { FieldReport } from "../../../tools/migration/source_object.ts";
import { serviceAccount } from "./litellm_clouds_sample.ts";
import { withFiles } from "./temp_files.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

/** The plan of a configuration with a file of Google beside it, and the lines of its fields. */
export async function planOf(config: string, variables: Readonly<Record<string, string>>) {
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
/** A model of an upstream, with its place and credential. */
export type Row = readonly [model: string, upstream: string, cloud: string, sign: string];

/** The upstream, its surface and place with the model's name there, and the kind of credential. */
export function rowsOf({ upstreams }: Awaited<ReturnType<typeof planOf>>["plan"]): readonly Row[] {
  return upstreams.flatMap(({ id, cloud, models, credentials, enabled }) =>
    models.map(({ id: model, upstreamModel = model }): Row => {
      const { surface = "preset", region, location, apiVersion, workspaceId, guardrail } = cloud ??
        {};
      const place = [surface, region ?? location ?? apiVersion, workspaceId, guardrail].filter(
        Boolean,
      );
      const sign = credentials.map((one) => one.startsWith("{") ? JSON.parse(one).type : "key");
      const state = `${sign.join(" ") || "nothing"}${enabled ? "" : ", disabled"}`;
      return [model, id.replace("litellm-", ""), `${place.join(" ")}: ${upstreamModel}`, state];
    })
  );
}
