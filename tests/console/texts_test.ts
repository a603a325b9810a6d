import { assert, assertEquals } from "@std/assert";
import { type Catalog, catalogs } from "../../lib/console/i18n/mod.ts";
import { localPath } from "../../lib/console/page/address.ts";
import { formatsFor, waitInWords } from "../../lib/console/page/format.ts";

const { en, "zh-CN": zhCn } = catalogs;

/** Texts that are the same in both languages, because they are names. */
const names = new Set([
  "language",
  "units.formats.*",
  "overview.snippet",
  "connect.unix",
  "connect.windows",
  "log.none",
  "audit.none",
  "users.none",
  "security.sessions.none",
  "modelPage.none",
  "upstreams.none",
  "upstreamAdmin.none",
  "webhooks.none",
  "webhooks.formats.*",
  "webhooks.deliveries.status",
  "faults.upstream.refused",
]);

/** Words that Chinese has taken over as they are. */
const loanWords = new Set(["Token", "Webhook"]);

Deno.test("catalogs: every text is there in every language and none is left in English", () => {
  const chinese = new Map(leaves(zhCn));
  for (const [path, text] of leaves(en)) {
    const other = chinese.get(path) ?? "";
    assert(text.trim() !== "" && other.trim() !== "", path);
    const named = loanWords.has(other) || names.has(path) ||
      names.has(path.replace(/\.[^.]+$/, ".*"));
    assert(named || /\p{Script=Han}/u.test(other), `${path} is not in Chinese: ${other}`);
  }
  assertEquals(new Set(chinese.keys()), new Set(leaves(en).map(([path]) => path)));
});

Deno.test("catalogs: every text is named somewhere", async () => {
  const named = new Set((await sources()).flatMap((text) => text.match(/\w+/g) ?? []));
  const paths = new Set([...leaves(en)].map(([path]) => path));
  const isNamed = (path: string): boolean => {
    const name = path.split(".").at(-1) ?? "";
    if (!/^[a-z]+$/i.test(name) || named.has(name)) return true;
    const field = path.replace(/Hint$/, ""); // `bindFields` finds a hint by the name of its field
    return field !== path && paths.has(field) && isNamed(field);
  };
  assertEquals([...paths].filter((path) => !isNamed(path)), []);
});

async function sources(): Promise<string[]> {
  const files = ["components", "islands", "lib", "routes"].flatMap((folder) => sourcesIn(folder));
  return await Promise.all(files.map((path) => Deno.readTextFile(path)));
}

function sourcesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) return path === "lib/console/i18n" ? [] : sourcesIn(path);
    return /\.tsx?$/.test(name) && path !== "lib/admin/faults.ts" ? [path] : [];
  });
}

Deno.test("catalogs: every text with a blank fills it in", () => {
  for (const catalog of [en, zhCn]) {
    for (const [path, text] of leaves(catalog)) {
      assert(!/undefined|\[object/.test(text), `${path}: ${text}`);
    }
  }
});

for (
  const [text, expected] of [
    ["/console/log?before=x", "/console/log?before=x"],
    ["/a/../console", "/console"],
    ["/console#x", "/console"],
    ["//evil.example", "/fallback"],
    ["/\\evil.example", "/fallback"],
    ["/a\\..\\\\evil.example", "/fallback"],
    ["/.//evil.example", "/fallback"],
    ["/a/..//evil.example", "/fallback"],
    ["/\n/evil.example", "/fallback"],
    ["https://evil.example/", "/fallback"],
    ["console", "/fallback"],
    ["", "/fallback"],
    [null, "/fallback"],
    ["/" + "x".repeat(3_000), "/fallback"],
  ] as const
) {
  Deno.test(`localPath: ${JSON.stringify(text)?.slice(0, 40)} is ${expected}`, () => {
    assertEquals(localPath(text, "/fallback"), expected);
  });
}

const nowMs = Date.UTC(2026, 10, 21, 8, 40);
for (
  const [locale, passedMs, expected] of [
    ["en", 0, "now"],
    ["en", 12_000, "12 seconds ago"],
    ["en", 3 * 60_000, "3 minutes ago"],
    ["en", 5 * 3_600_000, "5 hours ago"],
    ["en", 86_400_000, "yesterday"],
    ["en", 41 * 86_400_000, "Oct 11"],
    ["en", -5_000, "now"],
    ["zh-CN", 3 * 60_000, "3分钟前"],
  ] as const
) {
  Deno.test(`ago: ${passedMs} ms in ${locale} is ${expected}`, () => {
    const formats = formatsFor({ locale, timeZone: "UTC", nowMs });
    assertEquals(formats.ago(nowMs - passedMs), expected);
  });
}

Deno.test("formats: spans, counts and money", () => {
  const formats = formatsFor({ locale: "en", timeZone: "UTC", nowMs });
  assertEquals([38.4, 999.4, 1_420].map(formats.span), ["38 ms", "999 ms", "1.42 s"]);
  assertEquals(formats.count(1_234_567), "1,234,567");
  assertEquals([3, 0.3, 0.000_075].map(formats.usd), ["$3.00", "$0.30", "$0.000075"]);
});

Deno.test("waits are in seconds up to two minutes, in whole minutes beyond", () => {
  assertEquals([1, 90, 121, 900].map((seconds) => waitInWords(seconds, en)), [
    "1 second",
    "90 seconds",
    "3 minutes",
    "15 minutes",
  ]);
});

/** Every text with its path; one with blanks, filled with the first sample. */
function leaves(catalog: Catalog): [string, string][] {
  const walk = (path: string, value: unknown): [string, string][] => {
    if (typeof value === "string") return [[path, value]];
    // Sound: every function of the catalog takes texts or counts and returns a text.
    if (typeof value === "function") return [[path, String(value("样本", 2, "样本", "样本"))]];
    return Object.entries(value ?? {}).flatMap(([key, inner]) =>
      walk(path === "" ? key : `${path}.${key}`, inner)
    );
  };
  return walk("", catalog);
}
