import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import assets from "../assets/deno.json" with { type: "json" };
import { testedDeno } from "../../lib/telemetry/runtime_check.ts";

/** A package in the release. */
interface Package {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of its tarball; unknown for Deno and for what `static/` has copies of. */
  readonly integrity?: string;
  /** Its folder; not installed if only `static/` has copies of it. */
  readonly folder?: string;
}

/** The packages of the lock file, which the gateway runs with, of `static/`, and Deno. */
export function releasedPackages(): Package[] {
  const { npm }: { npm: Record<string, { integrity: string }> } = JSON.parse(
    Deno.readTextFileSync("deno.lock"),
  );
  const locked = Object.entries(npm).map(([id, { integrity }]) => {
    const [name, version] = split(id.replace(/_.*$/, ""));
    const place = `node_modules/.deno/${name.replace("/", "+")}@${version}/node_modules/${name}`;
    return { name, version, integrity, folder: place };
  });
  const copied = Object.values(assets.imports).map((specifier) => {
    const [name, version] = split(specifier.replace(/^npm:\/|\/$/g, ""));
    return { name, version };
  });
  return [
    ...locked.filter(({ name }) => !builders.test(name)),
    ...copied,
    { name: "deno", version: testedDeno },
  ];
}

/** Builds the console, and is not in the release. */
const builders = /^(@esbuild\/|esbuild$)/;

function split(id: string): [name: string, version: string] {
  const at = id.lastIndexOf("@");
  return [id.slice(0, at), id.slice(at + 1)];
}

/** A CycloneDX document of the packages. */
export function sbomOf(
  release: { readonly name: string; readonly version: string; readonly license: string },
  packages: readonly Package[],
): string {
  const bom = new Models.Bom();
  const itself = componentOf(release, release.license, Enums.ComponentType.Application);
  const parts = packages.map((part) => componentOf(part, licenseOf(part)));
  for (const part of parts) {
    bom.components.add(part);
    itself.dependencies.add(part.bomRef);
  }
  bom.metadata.component = itself;
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 });
}

function componentOf(
  { name, version, integrity }: Package,
  license: string | undefined,
  type = Enums.ComponentType.Library,
) {
  const [group, short] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const component = new Models.Component(type, short, { group, version, purl, bomRef: purl });
  if (license !== undefined) component.licenses.add(new Models.LicenseExpression(license));
  if (integrity?.startsWith("sha512-")) {
    const digest = Uint8Array.fromBase64(integrity.slice("sha512-".length)).toHex();
    component.hashes.set(Enums.HashAlgorithm["SHA-512"], digest);
  }
  return component;
}

function licenseOf({ folder }: Package): string | undefined {
  if (folder === undefined) return undefined;
  return JSON.parse(Deno.readTextFileSync(`${folder}/package.json`)).license;
}

/** The licences of the bundled packages, which ask for a copy of them. */
export function licenseTexts(packages: readonly Package[]): string {
  return packages.flatMap(({ name, version, folder }) => {
    if (folder === undefined) return [];
    const files = [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
    const file = files.find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined
      ? licenseOf({ name, version, folder })
      : Deno.readTextFileSync(`${folder}/${file}`);
    return [`${name} ${version}\n\n${text?.trim()}\n`];
  }).join(`\n${"-".repeat(80)}\n\n`);
}
