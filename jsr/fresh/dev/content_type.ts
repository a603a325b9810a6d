/** The content type that a file's name promises. */
export function contentTypeOf(file: string): string {
  const extension = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(types, extension) ? types[extension] : "application/octet-stream";
}

const types: Readonly<Record<string, string>> = {
  avif: "image/avif",
  css: "text/css; charset=UTF-8",
  csv: "text/csv; charset=UTF-8",
  gif: "image/gif",
  html: "text/html; charset=UTF-8",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  map: "application/json; charset=UTF-8",
  md: "text/markdown; charset=UTF-8",
  mjs: "text/javascript; charset=UTF-8",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=UTF-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xml: "text/xml; charset=UTF-8",
};
