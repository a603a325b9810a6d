import { assert, assertEquals } from "@std/assert";
import { formatNames } from "../../lib/canonical/mod.ts";
import { loadConfig } from "../../lib/config.ts";
import {
  dialectOf,
  isOfVendor,
  type Preset,
  presetEndpoints,
  presetNamed,
  presetNames,
} from "../../lib/upstreams/presets/mod.ts";

const rows = presetNames.map((name) => ({ name, preset: presetNamed(name) }));

for (const { name, preset } of rows) {
  Deno.test(`preset ${name}: a key is all that a configuration must say of it`, () => {
    const said = {
      id: name,
      preset: name,
      ...(preset.needsKey && { apiKeys: ["key"] }),
      ...(preset.baseUrl === undefined && { baseUrl: preset.baseUrlExample }),
    };
    const config = loadConfig(
      { TESSERA_CONFIG: "file" },
      () => JSON.stringify({ upstreams: [said] }),
    );
    const [upstream] = config.upstreams;
    const base = preset.baseUrl ?? preset.baseUrlExample ?? "";
    assertEquals(upstream.endpoints, presetEndpoints(preset, base));
    assertEquals(upstream.auth, preset.auth);
  });

  Deno.test(`preset ${name}: its row is well formed`, () => {
    const base = preset.baseUrl ?? preset.baseUrlExample;
    assert(base !== undefined && isWellFormedUrl(base), "an address, or what one looks like");
    const formats = Object.keys(preset.paths);
    assert(formats.length > 0 && formats.every((one) => formatNames.some((name) => name === one)));
    assert(Object.values(preset.paths).every((path) => /^(\/[\w.-]+)*$/.test(path)));
    if (preset.needsKey) assert(preset.keysUrl?.startsWith("https://"));
    if (base.startsWith("http://")) assert(!preset.needsKey, "a local server wants no key");
    for (const dialect of Object.values(preset.dialects ?? {})) {
      const renamed = Object.values(dialect.renames ?? {});
      for (const member of renamed) assert(dialect.knows?.includes(member) ?? true, member);
      assertEquals(dialect.knows, dialect.knows && [...dialect.knows].sort());
    }
  });
}

Deno.test("presets: an address may end in a format's path already", () => {
  const openai = { "chat-completions": "https://own.test/v1", responses: "https://own.test/v1" };
  for (const base of ["https://own.test", "https://own.test/v1"]) {
    assertEquals(presetEndpoints(presetNamed("openai"), base), openai);
  }
  assertEquals(presetEndpoints(presetNamed("deepseek"), "https://own.test/anthropic"), {
    "chat-completions": "https://own.test",
    responses: "https://own.test",
    messages: "https://own.test/anthropic",
  });
});

for (
  const { name, preset, responses = "https://own.test/v1", messages, expected } of [
    { name: "OpenAI's preset", preset: "openai", expected: [true, false] },
    { name: "Azure's preset", preset: "azure", expected: [true, false] },
    { name: "Anthropic's preset", preset: "anthropic", expected: [false, true] },
    { name: "another preset", preset: "openrouter", expected: [false, false] },
    {
      name: "OpenAI's address",
      responses: "https://eu.api.openai.com/v1",
      expected: [true, false],
    },
    {
      name: "Azure's address",
      responses: "https://mine.openai.azure.com/openai/v1",
      expected: [true, false],
    },
    { name: "Anthropic's address", messages: "https://api.anthropic.com", expected: [false, true] },
    {
      name: "similar addresses",
      responses: "https://api.openai.com.own.test/v1",
      messages: "https://api.anthropic.com.own.test",
      expected: [false, false],
    },
  ]
) {
  Deno.test(`isOfVendor: ${name}`, () => {
    const upstream = { preset, endpoints: { responses, ...(messages && { messages }) } };
    assertEquals([isOfVendor(upstream, "responses"), isOfVendor(upstream, "messages")], expected);
  });
}

Deno.test("presets: a name of another release is none, and no member of every object", () => {
  for (const name of [undefined, "", "acme", "constructor", "__proto__"]) {
    assertEquals(presetNamed(name), undefined);
    assertEquals(dialectOf({ preset: name }, "chat-completions"), undefined);
  }
});

Deno.test("docs/reference/presets.md shows every preset as the table has it", () => {
  const page = Deno.readTextFileSync(new URL("../../docs/reference/presets.md", import.meta.url));
  const text = page.replaceAll(/ +/g, " ");
  for (const { name, preset } of rows) {
    const row = documentedRow(name, preset);
    assert(text.includes(row), `the line:\n${row}`);
  }
});

function documentedRow(name: string, preset: Preset): string {
  const base = preset.baseUrl ?? `your own, such as ${preset.baseUrlExample}`;
  const formats = formatNames.filter((format) => preset.paths[format] !== undefined);
  const models = preset.models?.map((pattern) => `\`${pattern}\``).join(" ") ?? "all the others";
  const key = preset.keysUrl ?? "none needed";
  return `| \`${name}\` | ${preset.name} | ${base} | ${formats.join(", ")} | ${models} | ${key} |`;
}

function isWellFormedUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" &&
    !text.endsWith("/");
}
