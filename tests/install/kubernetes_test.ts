import { assert, assertEquals } from "@std/assert";
import { parseAllDocuments } from "yaml";
import { loadConfig } from "../../lib/config.ts";
import { isSchemathesisInstalled, schemathesis } from "../../tools/python.ts";
import { startGateway } from "../e2e/gateway.ts";

const root = new URL("../../", import.meta.url).pathname;
const path = `${root}deploy/kubernetes.yaml`;
const [deployment, service, budget] = parseAllDocuments(await Deno.readTextFile(path))
  .map((document) => document.toJS());
const pod = deployment.spec.template;
const [container] = pod.spec.containers;

const validator = schemathesis.replace(/[^/]+$/, "kubernetes-validate");
const hasValidator = await isSchemathesisInstalled();
if (!hasValidator) {
  console.log("kubernetes-validate is not installed: run deno task schemathesis");
}

for (const version of ["1.30", "1.37"]) {
  Deno.test({
    name: `deploy/kubernetes.yaml: is valid for Kubernetes ${version}`,
    ignore: !hasValidator,
    fn: async () => {
      const args = ["--strict", "--quiet", "-k", version, path];
      const { success, stdout, stderr } = await new Deno.Command(validator, { args }).output();
      const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
      assertEquals([success, said], [true, ""]);
    },
  });
}

Deno.test("deploy/kubernetes.yaml: service and disruption budget select the pods, and the port is the gateway's", () => {
  for (const one of [deployment.spec.selector, budget.spec.selector]) {
    assertEquals(one.matchLabels, pod.metadata.labels);
  }
  assertEquals(service.spec.selector, pod.metadata.labels);
  const [{ name, containerPort }] = container.ports;
  assertEquals([service.spec.ports[0].targetPort, containerPort], [name, 8_000]);
});

Deno.test("deploy/kubernetes.yaml: each probe is an address that a gateway answers with 200", async () => {
  await using gateway = await startGateway();
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
    const response = await fetch(gateway.base + container[probe].httpGet.path);
    assertEquals([probe, response.status], [probe, 200]);
    await response.body?.cancel();
  }
});

Deno.test("deploy/kubernetes.yaml: answers in flight may end before the pod is killed", () => {
  const { limits, lastWordsMs } = loadConfig({});
  const stopMs = container.lifecycle.preStop.sleep.seconds * 1_000 + limits.stopGraceMs +
    lastWordsMs;
  assert(pod.spec.terminationGracePeriodSeconds * 1_000 > stopMs + 5_000);
});

Deno.test("deploy/kubernetes.yaml: runs as the image's user, with variables that the gateway knows", async () => {
  const dockerfile = await Deno.readTextFile(`${root}Dockerfile`);
  const { runAsUser, runAsGroup } = pod.spec.securityContext;
  assertEquals(/^USER (.*)$/m.exec(dockerfile)?.[1], `${runAsUser}:${runAsGroup}`);
  const known = await Deno.readTextFile(`${root}docs/reference/environment.md`);
  for (const { name } of container.env) assert(known.includes(`\`${name}\``), name);
});
