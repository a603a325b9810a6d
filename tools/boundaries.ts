import { dirname, join, normalize } from "node:path";

/**
 * Holds the arrows of ARCHITECTURE.md: which folder may import which, what only one place may
 * touch, and that no import runs in a circle. Prints each breach and exits with 1.
 */
const root = new URL("..", import.meta.url).pathname;

/** What each area may import, besides itself. Areas are the folders of `lib/`, and the top level's. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  "lib/canonical": [],
  "lib/formats": ["lib/canonical"],
  "lib/tokens": ["lib/canonical"],
  "lib/http": ["lib/canonical", "lib/formats"],
  "lib/docs": [],
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
  "lib/ledger": [
    "lib/accounts",
    "lib/canonical",
    "lib/catalog",
    "lib/config",
    "lib/funds",
    "lib/http",
    "lib/store",
    "lib/tokens",
    "lib/upstreams",
  ],
  "lib/alerts": ["lib/canonical", "lib/config", "lib/ledger", "lib/store", "lib/upstreams"],
  "lib/catalog": ["lib/canonical", "lib/store"],
  "lib/funds": ["lib/accounts", "lib/canonical", "lib/config", "lib/store"],
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
  "lib/console": [
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
    "lib/ledger",
    "lib/operations",
    "lib/playground",
    "lib/routing",
    "lib/store",
    "lib/telemetry",
    "lib/upstreams",
    "lib/verdict",
    "components",
    "tools",
  ],
  "components": ["lib/console", "lib/docs", "lib/playground", "islands"],
  "islands": ["components", "lib/console", "lib/playground"],
  "routes": [
    "lib/accounts",
    "lib/canonical",
    "lib/console",
    "lib/docs",
    "lib/funds",
    "lib/ledger",
    "lib/playground",
    "lib/store",
    "components",
    "islands",
  ],
};

/** A word that only some places may use. */
const reserved: readonly { readonly what: RegExp; readonly places: readonly string[] }[] = [
  { what: /\bDeno\.(openKv|Kv\b)/, places: ["lib/store/"] },
  { what: /(?<![.\w])fetch\(/, places: ["lib/upstreams/send.ts", "islands/"] },
  { what: /\bDeno\.env\b/, places: ["main.ts", "lib/config", "tools/", "tests/", "bench/"] },
  { what: /^export \* /m, places: [] },
  { what: /\bimport\s*\(\s*["'`]npm:/, places: [] },
];

/** The files of a folder that others may import besides its `mod.ts`: its contract files. */
const contracts = new Set([
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
  "lib/telemetry/metrics.ts",
]);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function sourceFiles(): string[] {
  const listed = new Deno.Command("git", {
    args: ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
    cwd: root,
  }).outputSync();
  return new TextDecoder().decode(listed.stdout).trim().split("\n").filter((path) =>
    !path.startsWith("jsr/") && exists(path)
  );
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(join(root, path)).isFile;
  } catch {
    return false;
  }
}

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["'](\.{1,2}\/[^"']+)["']/gm,
  );
  return [...found].map(([, typeOnly, path]) => ({
    from: file,
    to: normalize(join(dirname(file), path)),
    typeOnly: typeOnly !== undefined,
  }));
}

function areaOf(file: string): string {
  const [first, second] = file.split("/");
  return first === "lib" && second ? `lib/${second.replace(/\.tsx?$/, "")}` : first;
}

function breachesOf({ from, to }: Import): string[] {
  const [source, target] = [areaOf(from), areaOf(to)];
  const allowed = arrows[source];
  if (!allowed || source === target) return sisterBreach(from, to);
  const breaches: string[] = [];
  if (!allowed.includes(target)) {
    breaches.push(`${from} imports ${to}: ${source} may not import ${target}`);
  }
  const entry = to.startsWith("lib/") && to.split("/").length > 2 && !/\/mod\.tsx?$/.test(to);
  if (
    entry && !contracts.has(to) && target !== "lib/http" && target !== "lib/console" &&
    target !== "lib/operations"
  ) {
    breaches.push(`${from} imports ${to}: cross a folder through its mod.ts or a contract file`);
  }
  return breaches;
}

/** Formats never import each other; all of them share `answer`, `models` and `request`. */
function sisterBreach(from: string, to: string): string[] {
  const format = /^lib\/formats\/(?!(?:answer|models|request)\/)(\w+)\//;
  const [a, b] = [format.exec(from)?.[1], format.exec(to)?.[1]];
  return a && b && a !== b ? [`${from} imports ${to}: a format never imports another`] : [];
}

function circles(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports.filter(({ typeOnly }) => !typeOnly), ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) found.push(`imports run in a circle: ${[...path.slice(at), file].join(" → ")}`);
    if (at >= 0 || done.has(file)) return;
    for (const { to } of edges.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

function reservedBreaches(file: string, text: string): string[] {
  if (file.startsWith("tests/") || file.startsWith("tools/") || file.startsWith("bench/")) {
    return [];
  }
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
  return reserved.filter(({ what, places }) =>
    what.test(code) && !places.some((place) => file.startsWith(place))
  )
    .map(({ what, places }) =>
      `${file} uses ${what.source}, which belongs to ${places.join(", ") || "nobody"}`
    );
}

const texts = new Map(sourceFiles().map((file) => [file, Deno.readTextFileSync(join(root, file))]));
const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
const breaches = [
  ...imports.flatMap(breachesOf),
  ...circles(imports),
  ...[...texts].flatMap(([file, text]) => reservedBreaches(file, text)),
];
for (const breach of breaches) console.error(breach);
console.log(
  `boundaries: ${texts.size} files, ${imports.length} imports, ${breaches.length} breaches`,
);
if (breaches.length > 0) Deno.exit(1);
