import { assertEquals } from "@std/assert";
import { catalogs } from "../../lib/console/i18n/mod.ts";
import { describeManagement } from "../../lib/management/mod.ts";
import { openapi } from "../../lib/operations/openapi.ts";

/** Second words for things that have one: set-up link, built-in model, circuit, test, upstream. */
const second = /\b(setup link|embedded model|(circuit )?breakers?|prob(e|es|ed|ing))\b|试探/i;
const company = /provider|提供商/i;

/** Providers here are the companies at which users sign in, or that the search box knows. */
const ofCompanies =
  /^(security|signIn|users|settings)\.|^docs\.lead$|^search\.(otherWords|actionWords)\./;

for (const [locale, catalog] of Object.entries(catalogs)) {
  Deno.test(`words: the console has one word for each thing: ${locale}`, () => {
    const texts = leaves(catalog);
    assertEquals(texts.filter(([, text]) => second.test(text)), []);
    const others = texts.filter(([path, text]) => company.test(text) && !ofCompanies.test(path));
    assertEquals(others, []);
  });
}

Deno.test("words: the descriptions of the API and of the configuration have the same words", async () => {
  const schema: unknown = JSON.parse(await Deno.readTextFile("config.schema.json"));
  const described = leaves([openapi(describeManagement()), schema])
    .filter(([path]) => /\.(description|summary)$/.test(path));
  assertEquals(described.filter(([, text]) => second.test(text)), []);
});

/** All texts below a value, also those that a function with samples makes, by their path. */
function leaves(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, String(value)]];
  return Object.entries(value ?? {}).flatMap(([name, each]) =>
    leaves(each, path ? `${path}.${name}` : name)
  );
}
