import { hash } from "node:crypto";

type Answer = () => Response | Promise<Response>;

/** Only files of this server: no other origin, nothing inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const safe = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" } as const;
const kept = {
  ...safe,
  "cache-control": "public, max-age=31536000, immutable",
} as const;

/** `GET /docs/api`: the API reference. */
export function referencePage(): Response {
  return new Response(page, {
    headers: {
      ...safe,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
    },
  });
}

/** The release of `swagger-ui-dist` in `static/reference`. */
const swaggerVersion = "5.35.0";

/**
 * Starts the reference in the reader's theme. A key entered to try a call stays in the page's
 * memory.
 */
const script = `"use strict";
const dark = matchMedia("(prefers-color-scheme: dark)");
const show = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", show);
show();
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  requestSnippetsEnabled: false,
});
`;

const style = `:root { color-scheme: light dark; }
body { margin: 0; font-family: var(--sans); background: var(--page); color: var(--ink); }
.dark-mode body { background: #1c2022; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; min-height: 60px; padding: 8px 24px; border-bottom: 1px solid var(--line); font-size: 14px; }
.bar a { color: var(--ink-soft); text-decoration: none; }
.bar a:hover { color: var(--accent-ink); text-decoration: underline; }
.bar .brand { display: flex; align-items: center; gap: 10px; color: var(--ink); font-size: 16px; font-weight: 600; letter-spacing: -0.01em; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description, .swagger-ui .btn { font-family: var(--sans); }
.swagger-ui .wrapper { max-width: 72rem; }
.swagger-ui .opblock .opblock-summary-path { overflow-wrap: anywhere; }
.swagger-ui .info { margin: 2rem 0; }
.swagger-ui .scheme-container { padding: 1rem 0; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5160; }
.swagger-ui .info .title small pre { background: #4a5160; border-radius: .5rem; }
.swagger-ui .info a, .swagger-ui .info .link .url { color: #1f5fae; }
.swagger-ui .btn.authorize { color: #17663f; border-color: #17663f; }
.swagger-ui .btn.authorize svg { fill: #17663f; }
.dark-mode .swagger-ui .info a, .dark-mode .swagger-ui .info .link .url { color: #9cc2f5; }
.dark-mode .swagger-ui .btn.authorize { color: #7fdcae; border-color: #7fdcae; }
.dark-mode .swagger-ui .btn.authorize svg { fill: #7fdcae; }
.swagger-ui .opblock .opblock-summary-method { background: #4a5160; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #17663f; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f5fae; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a8201a; }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { order: 1; flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock .opblock-summary-description { display: none; }
}
@media (prefers-reduced-motion: reduce) {
  .swagger-ui, .swagger-ui * { transition: none !important; animation: none !important; }
}
`;

/** A file name with a hash of the content. */
function versioned(name: string, text: string, ending: string): string {
  return `/docs/${name}-${hash("sha256", text, "hex").slice(0, 10)}.${ending}`;
}

/** The URLs of the page's files, cacheable without expiry. */
const addresses = {
  script: versioned("reference", script, "js"),
  style: versioned("reference", style, "css"),
  swaggerScript: `/docs/swagger-ui-${swaggerVersion}.js`,
  swaggerStyle: `/docs/swagger-ui-${swaggerVersion}.css`,
} as const;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Tessera docs</title>
<meta name="description" content="Every operation of the API with its fields, and a form to try calls.">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/css/tokens.css">
<link rel="stylesheet" href="${addresses.swaggerStyle}">
<link rel="stylesheet" href="${addresses.style}">
<script defer src="${addresses.swaggerScript}"></script>
<script defer src="${addresses.script}"></script>
</head>
<body>
<nav class="bar" aria-label="Documentation">
<a class="brand" href="/docs"><img src="/icon.svg" alt="" width="26" height="26">Tessera</a>
<a href="/docs">Documentation</a>
<a href="/docs/start/first-call">First call</a>
<a href="/docs/start/clients">Clients</a>
<a href="/docs/reference/errors">Errors</a>
<a href="/console">Console</a>
<a href="/openapi.json">openapi.json</a>
</nav>
<div id="reference"><noscript>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> says the same.</noscript></div>
</body>
</html>
`;

const packageFiles = new URL("../../static/reference/", import.meta.url);

/** The static files of the API reference, read on request. */
export const referenceFiles: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [`GET ${addresses.script}`, () => file(script, "text/javascript")],
  [`GET ${addresses.style}`, () => file(style, "text/css")],
  [
    `GET ${addresses.swaggerScript}`,
    () => packed("swagger-ui-bundle.js", "text/javascript"),
  ],
  [`GET ${addresses.swaggerStyle}`, () => packed("swagger-ui.css", "text/css")],
]);

function file(body: BodyInit, type: string): Response {
  return new Response(body, { headers: { ...kept, "content-type": `${type}; charset=utf-8` } });
}

/** Serves a file of the package, from which `tools/assets.ts` copied it. */
async function packed(name: string, type: string): Promise<Response> {
  const { readable } = await Deno.open(new URL(name, packageFiles));
  return file(readable, type);
}
