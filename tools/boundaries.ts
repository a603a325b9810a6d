import { dirname, join, normalize } from "node:path";
import { anything, areaOf, arrows, contracts, open, reserved } from "./boundaries/arrows.ts";
import { readSources } from "./sources.ts";

/** Everything in these files, by path, that the table of arrows refuses; one sentence each. */
export function breachesIn(texts: ReadonlyMap<string, string>): string[] {
  const imports = [...texts].flatMap(([file, text]) => importsOf(file, text))
    .filter(({ to }) => !to.startsWith("jsr/"));
  return [
    ...imports.flatMap(refusalOf),
    ...circlesIn(imports),
    ...[...texts].flatMap(([file, text]) => reservedIn(file, text)),
  ];
}

function refusalOf({ from, to }: Import): string[] {
  const reason = reasonAgainst(from, to);
  return reason === undefined ? [] : [`${from} imports ${to}: ${reason}`];
}

function reasonAgainst(from: string, to: string): string | undefined {
  const [source, target] = [areaOf(from), areaOf(to)];
  const unknown = [source, target].find((area) => arrows[area] === undefined);
  if (unknown !== undefined) return `the area ${unknown} is not in the table of arrows`;
  if (arrows[source].includes(anything)) return undefined;
  if (source === target) return sisterReason(from, to);
  if (!arrows[source].includes(target)) return `${source} may not import ${target}`;
  if (!isDoor(to, target)) return "cross a folder through its mod.ts or a contract file";
}

function isDoor(to: string, area: string): boolean {
  const isInner = to.startsWith("lib/") && to.split("/").length > 2 && !/\/mod\.tsx?$/.test(to);
  return !isInner || contracts.has(to) || open.has(area) || area.startsWith("lib/console");
}

/** Formats never import each other; the folders that all of them share are open. */
function sisterReason(from: string, to: string): string | undefined {
  const [a, b] = [formatOf(from), formatOf(to)];
  return a && b && a !== b ? "a format never imports another" : undefined;
}

function formatOf(file: string): string | undefined {
  return /^lib\/formats\/(?!(?:answer|models|request)\/)(\w+)\//.exec(file)?.[1];
}

/** Imports that run in a circle, types included. */
function circlesIn(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports, ({ from }) => from);
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

/** Rings of areas that the table itself would allow. */
export function ringsIn(table: Readonly<Record<string, readonly string[]>>): string[] {
  const imports = Object.entries(table).flatMap(([from, targets]) =>
    targets.filter((to) => to !== anything).map((to) => ({ from, to }))
  );
  return circlesIn(imports);
}

function reservedIn(file: string, text: string): string[] {
  if (/^(tests|tools|bench)\//.test(file)) return [];
  const code = withoutComments(text);
  return reserved.filter(({ what, places }) =>
    what.test(code) && !places.some((place) => file.startsWith(place))
  ).map(({ what, places }) =>
    `${file} uses ${what.source}, which only ${places.join(", ") || "nobody"} may use`
  );
}

/** One file that needs another: a static or dynamic import, a re-export, a type or a worker's URL. */
interface Import {
  readonly from: string;
  readonly to: string;
}

const forms: readonly RegExp[] = [
  /^(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["'](\.{1,2}\/[^"']+)["']/gm,
  /\bimport\s*\(\s*["'`](\.{1,2}\/[^"'`$]+)["'`]/g,
  /\bnew URL\(\s*["'`](\.{1,2}\/[^"'`$]+\.tsx?)["'`],\s*import\.meta\.url/g,
];

/** The imports of a source text, by paths from the root of the repository; those of packages left out. */
function importsOf(file: string, text: string): Import[] {
  const code = withoutComments(text);
  const targets = forms.flatMap((form) => [...code.matchAll(form)].map(([, path]) => path));
  return [...new Set(targets)].map((path) => ({
    from: file,
    to: normalize(join(dirname(file), path)),
  }));
}

/** Removes line comments only at the start of a line, because `//` in a text is not a comment. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
}

/**
 * Holds the arrows of ARCHITECTURE.md: the imports that each folder may have, types included, the
 * words that only one place may use, and the absence of circles. Prints each breach and exits with 1.
 */
if (import.meta.main) {
  const texts = readSources();
  const breaches = [...ringsIn(arrows), ...breachesIn(texts)];
  for (const breach of breaches) console.error(breach);
  console.log(`boundaries: ${texts.size} files, ${breaches.length} breaches`);
  if (breaches.length > 0) Deno.exit(1);
}
