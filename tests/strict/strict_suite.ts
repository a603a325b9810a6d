import { assert, assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../lib/canonical/mod.ts";
import { refusalsOf, startStrict, strictCredential } from "./mod.ts";

/** A request that breaks one rule and no other. */
export interface ViolationCase {
  readonly rule: string;
  readonly name?: string;
  readonly body: JsonObject;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StrictSuiteOptions {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests that the vendor accepts, by name. */
  readonly good: Readonly<Record<string, JsonObject>>;
  readonly violations: readonly ViolationCase[];
  /** The names of the vendor's rules: each must have a case. */
  readonly rules: readonly string[];
}

/** Tests that a fake refuses each violation by its rule, and accepts valid requests. */
export function strictSuite(format: FormatName, options: StrictSuiteOptions): void {
  const asked = (body: JsonObject, { path, headers }: Partial<ViolationCase> = {}) => ({
    path: path ?? options.path,
    headers: new Headers(headers ?? options.headers),
    body,
  });
  for (const [name, body] of Object.entries(options.good)) {
    Deno.test(`strict ${format} takes ${name}`, () => {
      assertEquals(refusalsOf(format, asked(body)), []);
    });
  }
  for (const violation of options.violations) {
    const { rule, name = "", body } = violation;
    Deno.test(`strict ${format} refuses by "${rule}" ${name || JSON.stringify(body).slice(0, 80)}`, () => {
      const rules = refusalsOf(format, asked(body, violation)).map((refusal) => refusal.rule);
      assert(rules.includes(rule), `refused by ${JSON.stringify(rules)}`);
    });
  }
  Deno.test(`strict ${format}: every rule has its case`, () => {
    const covered = new Set(options.violations.map(({ rule }) => rule));
    assertEquals(
      [...options.rules, "shape", "unknown fields"].filter((rule) => !covered.has(rule)),
      [],
    );
  });
  Deno.test(`strict ${format} answers and refuses over HTTP in the vendor's own words`, async () => {
    await using upstream = startStrict(format);
    const post = (body: JsonObject, headers: Readonly<Record<string, string>>) =>
      fetch(upstream.base + options.path, {
        method: "POST",
        headers: { ...options.headers, ...headers },
        body: JSON.stringify(body),
      });
    const [first] = Object.values(options.good);
    const credentials = {
      authorization: `Bearer ${strictCredential}`,
      "x-goog-api-key": strictCredential,
    };
    const good = await post(first, credentials);
    assertEquals(good.status, 200);
    await good.json();
    const bad = await post({ ...first, x_unknown: 1 }, credentials);
    assertEquals(bad.status, 400);
    assert((await bad.json()).error.message.includes("x_unknown"));
    const foreign = await post(first, {});
    assertEquals(foreign.status, 401);
    await foreign.json();
    assertEquals(upstream.seen.map(({ refusals }) => refusals.length), [0, 1]);
  });
}
