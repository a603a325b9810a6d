/** Runs a function, and returns every text that was parsed as JSON meanwhile. */
export async function parsedTexts(run: () => unknown): Promise<string[]> {
  const { parse } = JSON;
  const parsed: string[] = [];
  JSON.parse = (text, ...rest) => {
    parsed.push(text);
    return parse(text, ...rest);
  };
  try {
    await run();
  } finally {
    JSON.parse = parse;
  }
  return parsed;
}
