import { assertEquals, assertMatch } from "@std/assert";
import { groupModels } from "../../lib/admin/groups.ts";
import { keyModels, keyName } from "../../lib/admin/keys/key_rules.ts";
import { isModelName } from "../../lib/admin/models/model_rows.ts";
import { GatewayError, hasHidden, isModelPattern, withoutHidden } from "../../lib/canonical/mod.ts";
import { readEmail } from "../../lib/accounts/mod.ts";
import { label, modelName, modelPattern } from "../../lib/config/fields.ts";
import { ManagementError } from "../../lib/management/http/error.ts";
import { endpointSettings } from "../../lib/webhooks/mod.ts";
import { TakenNames } from "../../tools/migration/identity.ts";

/** Characters by which a name looks like another one, or reorders the text beside it. */
const points: readonly number[] = [
  ...[0x00, 0x07, 0x1b, 0x7f, 0x85, 0x9b], // controls
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f],
  ...[0x061c, 0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xe0041], // without width
  ...[0x2028, 0x2029, 0xd800],
];

/** Every rule for a name, by where it is entered. */
const rules: Readonly<Record<string, (name: string) => boolean>> = {
  "key or token, console and API": (name) => keyName.safeParse(name).data === name, // other spaces become one
  "model of a key, console and API": (name) => keyModels.safeParse([name]).success,
  "model of a group or project, console and API": (name) => groupModels.safeParse([name]).success,
  "name in the configuration file": (name) => label.safeParse(name).success,
  "model in the configuration file": (name) => modelName.safeParse(name).success,
  "pattern in the configuration file": (name) => modelPattern.safeParse(name).success,
  "model with a price, console and API": isModelName,
  "address of a user": (name) => readEmail(`${name}@example.com`) !== undefined,
  "model of an import": isModelPattern,
  "description of a webhook": (description) =>
    endpointSettings.safeParse({ url: "https://hooks.example.com", types: ["*"], description })
      .success,
};

for (const [name, isAllowed] of Object.entries(rules)) {
  Deno.test(`names: no hidden character in the ${name}`, () => {
    assertEquals(isAllowed("prod"), true);
    const allowed = points.filter((point) => isAllowed(`pr${String.fromCodePoint(point)}od`));
    assertEquals(allowed.map((point) => point.toString(16)), []);
  });
}

Deno.test("names: letters of every script, signs and joined emoji are visible", () => {
  for (const name of ["生产环境", "הפקה", "เมือง", "prod (EU) – 2", "é", "👩‍💻", "👨🏽‍🚀 team", "🏳️‍🌈"]) {
    assertEquals(hasHidden(name), false, name);
    assertEquals(withoutHidden(name), name);
  }
});

Deno.test("names: an import drops hidden characters, and names stay distinct", () => {
  const names = new TakenNames();
  assertEquals(names.take("a\u202edmin\u0007"), "admin");
  assertEquals(names.take("admin"), "admin 2");
});

Deno.test("names: a sentence shows hidden characters of the names that it quotes", () => {
  for (const point of points) {
    const { message, param } = new GatewayError(
      "model_not_found",
      `No model 'a${String.fromCodePoint(point)}b'`,
      {
        param: `metadata.a${String.fromCodePoint(point)}b`,
      },
    );
    assertMatch(message, /^No model 'a\\u\{?[\da-f]{4,}\}?b'$/);
    assertEquals([hasHidden(message), hasHidden(param ?? "")], [false, false]);
  }
  const { param } = new ManagementError("invalid_request", "No", { param: "tags.a\u202eb" });
  assertEquals(param, "tags.a\\u202eb");
  const { message } = new GatewayError("model_not_found", "No 'a\u202eb',\n\t'👩‍💻' 'e\u{e0041}'");
  assertEquals(message, "No 'a\\u202eb',\n\t'👩‍💻' 'e\\u{e0041}'");
});
