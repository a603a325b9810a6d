/** The error of every failed assertion. */
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AssertionError";
  }
}

/** The end of a message: the caller's own words, or a full stop. */
export function suffix(message?: string): string {
  return message ? `: ${message}` : ".";
}
