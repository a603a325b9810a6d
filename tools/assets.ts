/**
 * Writes the files of `static/` that come from packages: the fonts, and
 * one sprite of the icons in use. Run it after adding an icon or updating a package:
 *
 *     deno task --cwd tools/assets copy
 *
 * Its output is committed, and its packages are in a configuration of their own, so that neither a
 * build nor a start installs them. The task `check` there fails on a stale sprite.
 */
import { iconNames } from "../components/icon_names.ts";

const staticDir = new URL("../static/", import.meta.url);

const copies = {
  "fonts/plex-sans-5.3.0.woff2":
    "@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2",
  "fonts/plex-mono-5.3.0.woff2":
    "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2",
  "fonts/LICENSE.txt": "@fontsource/ibm-plex-mono/LICENSE",
} as const;

/** The sprite's text. It shows the site's own icon, so that one request serves both. */
function iconSprite(): string {
  const mark = Deno.readTextFileSync(new URL("icon.svg", staticDir));
  const symbols = iconNames.map((name) => {
    const svg = Deno.readTextFileSync(fileOf(`lucide-static/icons/${name}.svg`));
    const shapes = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.indexOf("</svg>"));
    return `<symbol id="${name}" viewBox="0 0 24 24">${
      shapes.replace(/\s+/g, " ").trim()
    }</symbol>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26">`,
    "<!-- Icons of Lucide (lucide.dev), ISC licence -->",
    ...symbols,
    mark.slice(mark.indexOf(">", mark.indexOf("<svg")) + 1, mark.lastIndexOf("</svg>")).trim(),
    "</svg>\n",
  ].join("\n");
}

function fileOf(specifier: string): URL {
  return new URL(import.meta.resolve(specifier));
}

if (import.meta.main) {
  const sprite = new URL("icons.svg", staticDir);
  if (Deno.args.includes("--check")) {
    const bare = (svg: string) => svg.replace(/\s+/g, ""); // the formatter breaks its lines
    Deno.exit(bare(Deno.readTextFileSync(sprite)) === bare(iconSprite()) ? 0 : 1);
  }
  Deno.mkdirSync(new URL("fonts/", staticDir), { recursive: true });
  for (const [path, specifier] of Object.entries(copies)) {
    Deno.copyFileSync(fileOf(specifier), new URL(path, staticDir));
  }
  Deno.writeTextFileSync(sprite, iconSprite());
}
