/** The text of a body as far as it came, and whether its connection broke off before its end. */
export async function brokenBody(
  { body }: Response,
): Promise<{ readonly text: string; readonly isBroken: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  if (!body) return { text, isBroken: false };
  try {
    for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
}

/** The same text, whether its connection broke off or not. */
export async function textSoFar(response: Response): Promise<string> {
  return (await brokenBody(response)).text;
}

/** Reads until the body ends or its connection breaks off. */
export async function readOut(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // it broke off
  }
}
