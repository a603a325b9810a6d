import type { Context } from "fresh";
import { digestOf } from "../../store/mod.ts";

/** Sheets whose order matters: later ones refine earlier ones. All others follow these by name. */
const first = [
  ...["tokens", "base", "shell", "controls", "panels", "code", "dialog", "funds", "attention"],
  ...[
    "usage",
    "log",
    "keys",
    "models",
    "chart",
    "overview",
    "admin",
    "playground",
    "markdown",
    "account",
  ],
  ...["upstreams", "folds", "check", "welcome", "settings"],
];
/** Sheets that adapt the others to small screens, fingers and paper, in order. */
const last = ["sheets", "tables", "touch", "print"];
/** Linked by the pages of the documentation only. */
const apart = ["docs"];

const folder = new URL("../../../static/css/", import.meta.url);

interface StyleSheet {
  /** Changes with the content, so browsers may keep the file. */
  readonly href: string;
  readonly text: string;
}

const kept: { sheet?: StyleSheet } = {};

/** All of `static/css` as one file. It is read once per process and written nowhere. */
export function styleSheet(): StyleSheet {
  return kept.sheet ??= readStyleSheet();
}

function readStyleSheet(): StyleSheet {
  const text = sheetNames().map((name) => minified(Deno.readTextFileSync(fileOf(name)))).join("");
  return { href: `/css/console-${digestOf(text).slice(0, 16)}.css`, text };
}

function sheetNames(): string[] {
  const names = [...Deno.readDirSync(folder)]
    .filter(({ name }) => name.endsWith(".css"))
    .map(({ name }) => name.slice(0, -".css".length))
    .sort();
  const named = new Set([...first, ...last, ...apart]);
  const order = [...first, ...names.filter((name) => !named.has(name)), ...last];
  return order.filter((name) => names.includes(name));
}

function fileOf(name: string): URL {
  return new URL(`${name}.css`, folder);
}

/** Comments and indentation only: the rest is left to the compression. */
function minified(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s*\n\s*/g, "\n").replace(/^\n/, "");
}

/** Answers the style sheet's address; an address of an earlier version gets today's, unkept. */
export function serveStyleSheet<State>(ctx: Context<State>): Response | Promise<Response> {
  const { pathname } = ctx.url;
  if (!/^\/css\/console-[0-9a-f]{16}\.css$/.test(pathname)) return ctx.next();
  const { href, text } = styleSheet();
  return new Response(text, {
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": pathname === href ? "public, max-age=31536000, immutable" : "no-store",
    },
  });
}
