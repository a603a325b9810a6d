import { assert, assertEquals } from "@std/assert";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { releasedPackages, sbomOf } from "../../tools/release/sbom.ts";

/** The schemas of CycloneDX 1.6, which the package that writes the list of packages brings. */
const schemas = new URL(
  "../res/schema/",
  import.meta.resolve("@cyclonedx/cyclonedx-library"),
);

async function schemaOf(file: string) {
  return JSON.parse(await Deno.readTextFile(new URL(file, schemas)));
}

const release = { name: "tessera-gateway", version: "0.1.0", license: "MIT" };

// Their types name default exports, which Deno has one level deeper.
const Validator = (Ajv as unknown as { default: typeof import("ajv").Ajv }).default;
const formats = (addFormats as unknown as { default: (validator: unknown) => void }).default;

async function validator() {
  const ajv = new Validator({ strict: false, allErrors: true });
  formats(ajv);
  ajv.addFormat("iri-reference", true).addFormat("idn-email", true);
  for (const file of ["spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json"]) {
    const { $id: _, ...schema } = await schemaOf(file);
    ajv.addSchema(schema, `http://cyclonedx.org/schema/${file}`);
  }
  const validate = ajv.compile(await schemaOf("bom-1.6.SNAPSHOT.schema.json"));
  return (sbom: unknown) => validate(sbom) ? [] : validate.errors ?? [];
}

Deno.test("the list of packages of a release is valid CycloneDX 1.6", async () => {
  const packages = releasedPackages();
  const sbom = JSON.parse(sbomOf(release, packages));
  const errorsOf = await validator();
  assertEquals(errorsOf(sbom), []);
  assertEquals([sbom.bomFormat, sbom.specVersion], ["CycloneDX", "1.6"]);
  assertEquals(sbom.components.length, packages.length);
  assert(sbom.components.every(({ purl }: { purl: string }) => purl.startsWith("pkg:npm/")));
  const [first, ...rest] = sbom.components;
  assert(errorsOf({ ...sbom, components: [{ ...first, type: "package" }, ...rest] }).length > 0);
});
