import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { assertFormat, authorize, type KeyDirectory } from "../../lib/accounts/authorize.ts";
import { mayUseModel } from "../../lib/accounts/model_rules.ts";
import { GatewayError } from "../../lib/canonical/mod.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import type { Group } from "../../lib/store/catalog/mod.ts";
import type { KnownKey } from "../../lib/store/directory/mod.ts";
import type { Project } from "../../lib/store/projects/mod.ts";
import { sampleGroup, sampleKey, sampleProject } from "../store/samples.ts";

const nowMs = Date.UTC(2026, 10, 21);
const from = { ip: "203.0.113.7", nowMs };

const projects: readonly Project[] = [
  sampleProject({ id: "research" }),
  sampleProject({ id: "closed", archivedAtMs: nowMs }),
];

/** A directory of one key, whose secret is `sk-known`, and the projects above. */
function directoryOf(
  key: Partial<ApiKey>,
  touched: string[] = [],
  denied: string[] = [],
  projectId?: string,
): KeyDirectory {
  const account = { spending: "prepaid", ...(projectId && { projectId }) } as const;
  const apiKey: KnownKey = { ...sampleKey(), enabled: true, groupId: "default", account, ...key };
  const group: Group = { ...sampleGroup(), id: "default" };
  return {
    findKey: (secret) => Promise.resolve(secret === "sk-known" ? apiKey : undefined),
    group: (id) => id === "default" ? group : undefined,
    project: (id) => projects.find((project) => project.id === id),
    organization: () => undefined,
    touchKey: (id) => touched.push(id),
    noteDenied: (_, reason) => denied.push(reason),
  };
}

const refusals: readonly {
  readonly name: string;
  readonly code: string;
  readonly secret?: string;
  readonly key?: Partial<ApiKey>;
  readonly ip?: string;
}[] = [
  { name: "an unknown key", code: "invalid_api_key", secret: "sk-other" },
  { name: "a disabled key", code: "invalid_api_key", key: { enabled: false } },
  { name: "a key in the moment it expires", code: "invalid_api_key", key: { expiresAtMs: nowMs } },
  { name: "a key whose group is gone", code: "invalid_api_key", key: { groupId: "gone" } },
  { name: "another address", code: "ip_not_allowed", key: { ipAllowList: ["203.0.113.8"] } },
  {
    name: "an address outside a block",
    code: "ip_not_allowed",
    key: { ipAllowList: ["10.0.0.0/8"] },
  },
  { name: "every address by an empty list", code: "ip_not_allowed", key: { ipAllowList: [] } },
  {
    name: "an IPv6 address where IPv4 is allowed",
    code: "ip_not_allowed",
    key: { ipAllowList: ["0.0.0.0/0"] },
    ip: "2001:db8::1",
  },
  {
    name: "an address that is none",
    code: "ip_not_allowed",
    key: { ipAllowList: ["::/0"] },
    ip: "",
  },
];
for (const { name, code, secret = "sk-known", key = {}, ip = from.ip } of refusals) {
  Deno.test(`authorize refuses ${name}`, async () => {
    const [touched, denied]: string[][] = [[], []];
    const error = await assertRejects(
      () => authorize(secret, { ip, nowMs }, directoryOf(key, touched, denied)),
      GatewayError,
    );
    assertEquals(error.code, code);
    assertEquals(denied.length, name === "an unknown key" ? 0 : 1, "its owner is to know");
    assert(!error.message.includes(secret), "a message never holds the key");
    assertEquals(touched, [], "a refused key was not used");
  });
}

Deno.test("authorize adds the project of the key's account", async () => {
  const caller = await authorize("sk-known", from, directoryOf({}, [], [], "research"));
  assertEquals(caller.project, projects[0]);
});

for (const projectId of ["closed", "unknown"]) {
  Deno.test(`authorize refuses a key whose project is ${projectId}`, async () => {
    const denied: string[] = [];
    const error = await assertRejects(
      () => authorize("sk-known", from, directoryOf({}, [], denied, projectId)),
      GatewayError,
    );
    assertEquals([error.code, denied], ["invalid_api_key", ["project"]]);
    assert(error.message.includes(projectId), "the message names the project");
  });
}

Deno.test("authorize refuses a call without a key", async () => {
  const error = await assertRejects(
    () => authorize(undefined, from, directoryOf({})),
    GatewayError,
  );
  assertEquals([error.code, error.status], ["invalid_api_key", 401]);
});

const admitted: Readonly<Record<string, { key: Partial<ApiKey>; ip?: string }>> = {
  "a plain key": { key: {} },
  "a key a millisecond before it expires": { key: { expiresAtMs: nowMs + 1 } },
  "an address of the list": { key: { ipAllowList: ["198.51.100.1", "203.0.113.7"] } },
  "an address of a block": { key: { ipAllowList: ["203.0.113.0/24"] } },
  "an IPv4 address on a socket for both": {
    key: { ipAllowList: ["203.0.113.0/24"] },
    ip: "::ffff:203.0.113.7",
  },
  "an IPv6 address of a block": { key: { ipAllowList: ["2001:db8::/32"] }, ip: "2001:db8::1" },
};
for (const [name, { key, ip = from.ip }] of Object.entries(admitted)) {
  Deno.test(`authorize admits ${name}`, async () => {
    const touched: string[] = [];
    const caller = await authorize("sk-known", { ip, nowMs }, directoryOf(key, touched));
    assertEquals([caller.group.id, touched], ["default", [caller.key.id]]);
  });
}

Deno.test("mayUseModel refuses a model that the project does not allow", () => {
  const { models: _, ...key } = sampleKey();
  const group = { ...sampleGroup(), models: ["*"] };
  const may = (project?: Project) => mayUseModel({ key, group, project }, "acme-large");
  assertEquals(may(), true);
  assertEquals(may(sampleProject({ models: ["acme-*"] })), true);
  assertEquals(may(sampleProject({ models: ["acme-small"] })), false);
  assertEquals(may(sampleProject({ models: [] })), false);
});

const models: readonly [string, readonly string[], readonly string[] | undefined, boolean][] = [
  ["both admit it", ["acme-*"], ["acme-large"], true],
  ["the key has no list of its own", ["acme-*"], undefined, true],
  ["the group does not", ["other-*"], ["*"], false],
  ["the key does not", ["*"], ["acme-small"], false],
  ["the key's list is empty", ["*"], [], false],
];
for (const [name, ofGroup, ofKey, expected] of models) {
  Deno.test(`mayUseModel is ${expected} where ${name}`, () => {
    const { models: _, ...bare } = sampleKey();
    const key: ApiKey = { ...bare, ...(ofKey && { models: ofKey }) };
    assertEquals(
      mayUseModel({ key, group: { ...sampleGroup(), models: ofGroup } }, "acme-large"),
      expected,
    );
  });
}

Deno.test("assertFormat refuses a format that the group does not admit", () => {
  const caller = {
    key: sampleKey(),
    group: { ...sampleGroup(), formats: ["messages"] as const },
  };
  assertFormat(caller, "messages");
  const error = assertThrows(() => assertFormat(caller, "responses"), GatewayError);
  assertEquals([error.code, error.status], ["format_not_allowed", 403]);
});
