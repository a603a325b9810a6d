import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import { loadConfig } from "../../lib/config.ts";

const root = new URL("../../", import.meta.url).pathname;
const read = (path: string) => Deno.readTextFileSync(`${root}${path}`);
const { services, ...file } = parse(read("compose.yaml"), { merge: true });
const gateways = ["gateway", "with-postgres", "with-denokv"];

Deno.test("compose.yaml: each gateway gets the same variables, all of which it knows", () => {
  const known = read("docs/reference/environment.md");
  for (const name of gateways) {
    const { environment } = services[name];
    for (const variable of Object.keys(environment)) {
      assert(known.includes(`\`${variable}\``), variable);
    }
    assertEquals(Object.keys(file["x-variables"]).filter((one) => !(one in environment)), []);
  }
});

Deno.test("compose.yaml: a gateway may end its answers before it is killed", () => {
  const { limits, lastWordsMs } = loadConfig({});
  for (const name of gateways) {
    const seconds = Number.parseInt(services[name].stop_grace_period);
    assert(seconds * 1_000 > limits.stopGraceMs + lastWordsMs, name);
  }
});

Deno.test("compose.yaml: every volume is declared, and denokv is the one of CI", () => {
  const named = Object.values<{ readonly volumes: readonly string[] }>(services)
    .flatMap(({ volumes }) => volumes.map((volume) => volume.split(":")[0]))
    .filter((name) => !name.startsWith("."));
  assertEquals([...new Set(named)].sort(), Object.keys(file.volumes).sort());
  const [, version] = /denokv@([\d.]+)/.exec(read(".ci/run")) ?? [];
  assertEquals(services.denokv.image, `ghcr.io/denoland/denokv:${version}`);
});
