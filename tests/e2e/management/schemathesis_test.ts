import { assert, assertEquals } from "@std/assert";
import { adminServices } from "../../../lib/admin/services.ts";
import { isSchemathesisInstalled, schemathesis } from "../../../tools/python.ts";
import { startApi, type TestApi } from "../../management/api.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { loopbackOnly } from "./loopback_only.ts";

const isInstalled = await isSchemathesisInstalled();
if (!isInstalled) console.log("Schemathesis is not installed: run deno task schemathesis");

/**
 * Answers must be as described, without a 5xx. Not checked: that every body of the right shape is
 * accepted, because most need ids of objects that exist.
 */
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "unsupported_method",
  "allow_header_conformance",
  "ignored_auth",
];

/** More by hand: `SCHEMATHESIS_EXAMPLES=200`. */
const examplesMax = Deno.env.get("SCHEMATHESIS_EXAMPLES") ?? "5";

/** Headers that refuse most made-up requests, and have tests of their own. */
const leftOut = ["Idempotency-Key", "If-Match"];
/** Operations that would revoke its own token, or fetch a list from the internet. */
const operationsLeftOut = ["deleteManagementTokensId", "postManagementPricesRefresh"];
/** A price has so many fields that trying each of them in an upstream's costs takes minutes; `POST /models` tries them. */
const noPrices = { type: "object", maxProperties: 0 };
/** A body that is too long has its own status. */
const settings = `[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
`;

Deno.test({
  name: "management: Schemathesis finds no answer that differs from the description",
  ignore: !isInstalled,
  fn: async () => {
    using _ = loopbackOnly(); // it makes up addresses of webhooks and upstreams
    await using api = await startApi();
    allowManyChanges();
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(`${folder}/openapi.json`, await readDescription(api));
    await Deno.writeTextFile(`${folder}/schemathesis.toml`, settings);
    const { success, stdout, stderr } = await new Deno.Command(schemathesis, {
      args: argumentsFor(api, folder),
      cwd: folder,
      env: { NO_COLOR: "1" },
      signal: AbortSignal.timeout(15 * 60_000),
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    console.log(text.split("\n").slice(-20).join("\n"));
    assert(success, text);
    const report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    for (const name of ["keys", "users", "groups", "tokens", "invitations"]) {
      const rates: readonly Record<"accepted" | "conflicts", number>[] = Object.values(
        report.valid_rates[`POST /api/v1/${name}`],
      );
      const wereRead = rates.some(({ accepted, conflicts }) => accepted + conflicts > 0);
      assert(wereRead, `every request for new ${name} was refused`);
    }
    assertEquals((await api.ask("GET", "/tokens/current")).status, 200); // it still had access
    await removeFolder(folder);
  },
});

/** Thousands of changes would otherwise get 429, which hides every other answer. */
function allowManyChanges(): void {
  const services = adminServices();
  assert(services);
  services.changes.take = () => true;
}

async function readDescription({ base }: TestApi): Promise<string> {
  const description = await (await fetch(`${base}/openapi.json`)).json();
  return JSON.stringify(
    description,
    (name, value) => {
      if (name === "parameters" && Array.isArray(value)) {
        return value.filter((one) => !leftOut.includes(one.name));
      }
      return name === "costs" ? withoutPrices(value) : value;
    },
  );
}

/** The schema of an upstream's costs without the prices in it. */
function withoutPrices(schema: unknown): unknown {
  const text = JSON.stringify(
    schema,
    (name, value) => name === "prices" || name === "credentials" ? noPrices : value,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

function argumentsFor({ base, secret }: TestApi, folder: string): string[] {
  return [
    ...["run", `${folder}/openapi.json`, "--url", base],
    ...["--include-path-regex", "^/api/v1"],
    ...operationsLeftOut.flatMap((id) => ["--exclude-operation-id", id]),
    ...["--checks", checks.join(",")],
    ...["--max-examples", examplesMax],
    ...["--header", `Authorization: Bearer ${secret}`],
    ...["--report", "json", "--report-json-path", `${folder}/report.json`],
    ...["--seed", "29", "--warnings", "off", "--continue-on-failure"],
  ];
}
