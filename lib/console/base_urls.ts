/** What to configure in a client, by the formats that it may speak. */
export function baseUrls(
  origin: string,
): readonly { readonly what: string; readonly baseUrl: string }[] {
  return [
    { what: "Chat completions, Responses", baseUrl: `${origin}/v1` },
    { what: "Messages", baseUrl: origin },
    { what: "Generate content", baseUrl: `${origin}/v1beta` },
  ];
}

/** A first call that can be pasted into a terminal. */
export function firstCallSnippet(origin: string, model: string): string {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] });
  return [
    `curl ${origin}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer YOUR_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body.replaceAll("'", `'\\''`)}'`,
  ].join("\n");
}
