import { hash } from "node:crypto";

/** The release of `swagger-ui-dist` that `deno.json` pins. */
export const swaggerVersion = "5.35.0";

/** Starts the reference in the reader's own theme. The key of who tries a call stays in the page's memory. */
export const script = `"use strict";
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

export const style = `:root { color-scheme: light dark; }
body { margin: 0; font-family: system-ui, sans-serif; background: #fff; color: #1b1b1f; }
.dark-mode body { background: #1c2022; color: #e6e6ea; }
.bar { display: flex; flex-wrap: wrap; gap: 1rem; padding: .75rem 1.25rem; border-bottom: 1px solid #8884; }
.bar a { color: inherit; }
.bar a:first-child { font-weight: 600; text-decoration: none; }
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
`;

/** A name that changes with what it names. */
function versioned(name: string, text: string, ending: string): string {
  return `/docs/${name}-${hash("sha256", text, "hex").slice(0, 10)}.${ending}`;
}

/** Where the page's files are; each may be kept for ever. */
export const addresses = {
  script: versioned("reference", script, "js"),
  style: versioned("reference", style, "css"),
  swaggerScript: `/docs/swagger-ui-${swaggerVersion}.js`,
  swaggerStyle: `/docs/swagger-ui-${swaggerVersion}.css`,
} as const;

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Tessera</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${addresses.swaggerStyle}">
<link rel="stylesheet" href="${addresses.style}">
<script defer src="${addresses.swaggerScript}"></script>
<script defer src="${addresses.script}"></script>
</head>
<body>
<nav class="bar" aria-label="Tessera">
<a href="/console">Tessera</a>
<a href="/console/connect">Connect a client</a>
<a href="/openapi.json">openapi.json</a>
</nav>
<div id="reference"><noscript>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> says the same.</noscript></div>
</body>
</html>
`;
