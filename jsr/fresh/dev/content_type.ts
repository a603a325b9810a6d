/** The content type that a file's name promises. */
export function contentTypeOf(file: string): string {
  const extension = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(types, extension) ? types[extension] : "application/octet-stream";
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=UTF-8",
  html: "text/html; charset=UTF-8",
  ico: "image/vnd.microsoft.icon",
  js: "text/javascript; charset=UTF-8",
  json: "application/json; charset=UTF-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=UTF-8",
  woff2: "font/woff2",
};
