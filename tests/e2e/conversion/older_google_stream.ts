/** `responseLineRE` of @google/generative-ai 0.24.1, as it is there (2026-11-22). */
const responseLine = /^data\: (.*)(?:\n\n|\r\r|\r\n\r\n)/;

/**
 * The objects of a stream as the vendor's older SDK reads them, and LangChain by it: its regular
 * expression matches from the start of what is left, so nothing behind other bytes is ever found.
 */
export function readAsOlderSdk(body: string): readonly unknown[] {
  const objects: unknown[] = [];
  let rest = body;
  for (let match = rest.match(responseLine); match; match = rest.match(responseLine)) {
    objects.push(JSON.parse(match[1]));
    rest = rest.slice(match[0].length);
  }
  if (rest.trim() !== "") throw new Error(`Failed to parse stream: ${rest.slice(0, 100)}`);
  return objects;
}
