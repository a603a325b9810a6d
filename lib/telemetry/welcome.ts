/** What a start has to tell, each at most once. */
export interface Told {
  /** The secret of the first API key; only at the very first start. */
  readonly firstKeySecret?: string;
  /** The one-time set-up link; until an administrator exists. */
  readonly setupLink?: { readonly token: string; readonly expiresAtMs: number };
  /** A model that a first call may name. */
  readonly model: string;
}

/** What is printed once the server listens: where it is, how to sign in, and a call that works when pasted. */
export function welcome(
  address: Deno.NetAddr,
  { firstKeySecret, setupLink, model }: Told,
): string {
  const base = `http://${hostOf(address)}:${address.port}`;
  const lines = [
    `Tessera listens on ${base}`,
    "",
    setupLink
      ? `  Set up the console (once, before ${
        minuteOf(setupLink.expiresAtMs)
      }):  ${base}/setup/${setupLink.token}`
      : `  Console:  ${base}/console`,
  ];
  if (firstKeySecret) {
    lines.push(
      "",
      "  First API key, shown only now:",
      `    ${firstKeySecret}`,
      "",
      "  Try it:",
      ...curlLines(base, firstKeySecret, model),
    );
  }
  return lines.join("\n");
}

function curlLines(base: string, key: string, model: string): string[] {
  const body = JSON.stringify({
    model,
    messages: [{ role: "user", content: "hello" }],
  }).replaceAll("'", `'\\''`); // as one word for a shell
  return [
    `    curl ${base}/v1/chat/completions \\`,
    `      -H "Authorization: Bearer ${key}" \\`,
    `      -H "Content-Type: application/json" \\`,
    `      -d '${body}'`,
  ];
}

/** `2026-11-21 09:30 UTC` */
function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** An address that a browser on this machine can open. */
function hostOf({ hostname }: Deno.NetAddr): string {
  if (hostname === "0.0.0.0" || hostname === "::") return "127.0.0.1";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
