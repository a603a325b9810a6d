import { version } from "../version.ts";

/** The secrets in the start-up notices, each printed at most once. */
export interface StartupNotices {
  /** The secret of the first API key; only at the first start. */
  readonly firstKeySecret?: string;
  /** The one-time set-up link; absent once there is an administrator. */
  readonly setupLink?: { readonly token: string; readonly expiresAtMs: number };
}

/**
 * The start-up notices: the console's address, and shell lines that make the documents' examples
 * work as they are. `base` is the server's base URL. `model` is undefined while no upstream lists one.
 * `elsewhere` says how a browser on another machine opens the base URL.
 */
export function welcome(
  base: string,
  { firstKeySecret, setupLink }: StartupNotices,
  model: string | undefined,
  elsewhere?: string,
): string {
  const exports = Object.entries({ BASE_URL: base, KEY: firstKeySecret, MODEL: model })
    .flatMap(([name, value]) => value === undefined ? [] : `export ${name}=${shellWord(value)}`);
  return [
    `Tessera ${version} is running at ${base}`,
    "",
    ...consoleLines(base, setupLink, elsewhere),
    "",
    `  ${titleOf(base, firstKeySecret)}`,
    "",
    ...[...exports, ...firstKeySecret && model ? firstCall : []].map((line) => `    ${line}`),
    ...model
      ? []
      : ["", "  No upstream lists a chat model yet. Set MODEL to a name from GET /v1/models."],
  ].join("\n");
}

function consoleLines(
  base: string,
  link: StartupNotices["setupLink"],
  elsewhere: string | undefined,
): string[] {
  if (!link) return [`  Console:  ${base}/console`];
  const until = minuteOf(link.expiresAtMs);
  return [
    `  Create your admin account (link expires ${until}):  ${base}/setup/${link.token}`,
    ...elsewhere ? [`  To open it on another machine, ${elsewhere}`] : [],
  ];
}

function titleOf(base: string, firstKeySecret: string | undefined): string {
  return firstKeySecret
    ? "Your first API key (shown once). Paste these lines to make a call:"
    : `Paste these lines to run the examples in the documentation. Set KEY to an API key (create one at ${base}/console/token):`;
}

const firstCall = [
  `curl "$BASE_URL/v1/chat/completions" \\`,
  `  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\`,
  `  -d '{"model":"'"$MODEL"'","messages":[{"role":"user","content":"hello"}]}'`,
];

/** Quotes a value only if a shell would read it as anything but one word. */
function shellWord(value: string): string {
  return /^[\w.:/@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

/** `2026-11-21 09:30 UTC` */
function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
