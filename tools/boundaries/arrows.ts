/** An area of the code: a name for messages, and the paths that belong to it. The first match counts. */
const areas: readonly { readonly name: string; readonly paths: RegExp }[] = [
  { name: "lib/console/i18n", paths: /^lib\/console\/i18n\// },
  { name: "lib/console/page", paths: /^lib\/console\/(page|session)\// },
  { name: "lib/console/noun", paths: /^lib\/console\/\w+\// },
  { name: "lib/console", paths: /^lib\/console\// },
  {
    name: "components/browser",
    paths: /^components\/(connect\/Findings\.tsx|keys\/KeyFields\.tsx|playground\/)/,
  },
  { name: "components/layout", paths: /^components\/layout\// },
  { name: "components/noun", paths: /^components\/\w+\// },
  { name: "components", paths: /^components\// },
];

/** The area of a file: one of the table above, else its folder of `lib/`, else its top level. */
export function areaOf(file: string): string {
  const named = areas.find(({ paths }) => paths.test(file));
  if (named) return named.name;
  const [first, second] = file.split("/");
  return first === "lib" && second ? `lib/${second.replace(/\.tsx?$/, "")}` : first;
}

/** Imports that are not restricted: tests and tools may reach into everything. */
export const anything = "anything";

const domain = [
  "lib/accounts",
  "lib/alerts",
  "lib/canonical",
  "lib/catalog",
  "lib/config",
  "lib/docs",
  "lib/formats",
  "lib/funds",
  "lib/gateway",
  "lib/http",
  "lib/lazy",
  "lib/ledger",
  "lib/operations",
  "lib/playground",
  "lib/routing",
  "lib/store",
  "lib/telemetry",
  "lib/upstreams",
  "lib/verdict",
] as const;

/** Every area with the areas that it may import, by value or by type. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  "lib/canonical": [],
  "lib/formats": ["lib/canonical"],
  "lib/tokens": ["lib/canonical"],
  "lib/http": ["lib/canonical", "lib/formats"],
  "lib/lazy": [],
  "lib/docs": ["lib/lazy"],
  "lib/playground": [], // runs in the browser too
  "lib/store": ["lib/canonical", "lib/formats"],
  "lib/config": ["lib/canonical", "lib/store", "lib/upstreams"],
  "lib/accounts": ["lib/canonical", "lib/store"],
  "lib/telemetry": ["lib/canonical", "lib/store"],
  "lib/upstreams": ["lib/canonical", "lib/formats", "lib/http", "lib/store", "lib/tokens"],
  "lib/responses_state": [
    "lib/accounts",
    "lib/canonical",
    "lib/config",
    "lib/formats",
    "lib/http",
    "lib/ledger",
    "lib/store",
  ],
  "lib/routing": ["lib/canonical", "lib/store", "lib/upstreams"],
  "lib/ledger": ["lib/accounts", "lib/canonical", "lib/catalog", "lib/store"],
  "lib/audit": ["lib/canonical", "lib/funds", "lib/ledger", "lib/store"],
  "lib/alerts": [
    "lib/canonical",
    "lib/config",
    "lib/ledger",
    "lib/store",
    "lib/telemetry",
    "lib/upstreams",
  ],
  "lib/catalog": ["lib/canonical", "lib/store"],
  "lib/funds": ["lib/accounts", "lib/canonical", "lib/config", "lib/store", "lib/telemetry"],
  "lib/verdict": ["lib/canonical", "lib/store"],
  "lib/gateway": [
    "lib/accounts",
    "lib/canonical",
    "lib/config",
    "lib/formats",
    "lib/http",
    "lib/ledger",
    "lib/money",
    "lib/responses_state",
    "lib/routing",
    "lib/store",
    "lib/telemetry",
    "lib/tokens",
    "lib/upstreams",
    "lib/verdict",
  ],
  "lib/money": [
    "lib/alerts",
    "lib/config",
    "lib/funds",
    "lib/ledger",
    "lib/store",
    "lib/telemetry",
    "lib/upstreams",
  ],
  "lib/operations": [
    "lib/accounts",
    "lib/canonical",
    "lib/catalog",
    "lib/formats",
    "lib/funds",
    "lib/gateway",
    "lib/http",
    "lib/responses_state",
    "lib/store",
    "lib/telemetry",
    "lib/tokens",
    "lib/upstreams",
  ],
  "lib/dispatcher": ["lib/canonical", "lib/formats", "lib/gateway", "lib/http", "lib/operations"],
  "lib/serve": ["lib/catalog", "lib/config", "lib/store", "lib/telemetry", "lib/upstreams"],
  "lib/serve_parallel": ["lib/config", "lib/dispatcher", "lib/http", "lib/serve"],
  "lib/console/i18n": ["lib/canonical", "lib/upstreams"],
  "lib/console/page": ["lib/console/i18n", ...domain],
  "lib/console/noun": ["lib/console/i18n", "lib/console/page", ...domain],
  "lib/console": ["lib/console/i18n", "lib/console/page", "lib/console/noun", ...domain],
  // the design system: knows no page's data
  "components": ["lib/console/page"],
  // the parts of islands: they run in browsers too
  "components/browser": ["components", "lib/console/noun", "lib/console/page", "lib/playground"],
  "islands": ["components", "components/browser", "lib/console/noun", "lib/playground"],
  "components/layout": ["components", "islands", "lib/console/page"],
  "components/noun": [
    "components",
    "components/browser",
    "components/layout",
    "islands",
    "lib/console/noun",
    "lib/console/page",
    "lib/docs",
    "lib/playground",
  ],
  "routes": [
    "components",
    "components/browser",
    "components/layout",
    "components/noun",
    "islands",
    "lib/accounts",
    "lib/canonical",
    "lib/console",
    "lib/console/i18n",
    "lib/console/noun",
    "lib/console/page",
    "lib/docs",
    "lib/funds",
    "lib/ledger",
    "lib/playground",
    "lib/store",
  ],
  "app.ts": ["components/layout", "lib/console/page"],
  "main.ts": [anything],
  "serve.ts": [anything],
  "tools": [anything],
  "tests": [anything],
  "bench": [anything],
};

/** The files of a folder that others may import in addition to its `mod.ts`: its contract files. */
export const contracts: ReadonlySet<string> = new Set([
  "lib/formats/billing.ts",
  "lib/formats/codec.ts",
  "lib/formats/dialect.ts",
  "lib/formats/endpoint.ts",
  "lib/formats/state_codec.ts",
  "lib/formats/stream.ts",
  "lib/formats/wire.ts",
  "lib/formats/models/card.ts",
  "lib/formats/models/list.ts",
  "lib/formats/models/listing.ts",
  "lib/formats/generate_content/model_list.ts",
  "lib/upstreams/price_terms.ts",
  "lib/upstreams/upstream.ts",
  "lib/upstreams/send.ts",
  "lib/upstreams/call_upstream.ts",
  "lib/upstreams/count.ts",
  "lib/upstreams/relay.ts",
  "lib/accounts/authorize.ts",
  "lib/store/catalog/declared.ts",
  "lib/store/kv/timeouts.ts",
  "lib/store/kv/id.ts",
  "lib/store/kv/open.ts",
  "lib/store/money/budget.ts",
  "lib/gateway/console_call.ts",
  "lib/gateway/relay.ts",
  "lib/ledger/period.ts",
  "lib/telemetry/log.ts",
  "lib/telemetry/metrics.ts",
]);

/** Areas whose files may all be imported from other areas, not only `mod.ts`. */
export const open: ReadonlySet<string> = new Set(["lib/http", "lib/operations"]);

/** A word that only some places may use. */
export const reserved: readonly { readonly what: RegExp; readonly places: readonly string[] }[] = [
  { what: /\bDeno\.(openKv|Kv\b)/, places: ["lib/store/"] },
  { what: /(?<![.\w])fetch\(/, places: ["lib/upstreams/fetch/fetch_transport.ts", "islands/"] },
  { what: /\bDeno\.env\b/, places: ["main.ts", "lib/config", "tools/", "tests/", "bench/"] },
  { what: /^export \* /m, places: [] },
  { what: /\bimport\s*\(\s*["'`]npm:/, places: [] },
];
