/** Returns true for a name that can have a price: without spaces, and no pattern. */
export function isModelName(text: string): boolean {
  return /^[^\s*]{1,200}$/.test(text);
}
