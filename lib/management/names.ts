/** A name of the code as the API writes it: `cacheWrite1h` as `cache_write_1h`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`);
}
