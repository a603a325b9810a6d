/** Reads the id of a call from an address; undefined for an invalid one. */
export function readRequestId(text: string | null | undefined): string | undefined {
  return text && /^req_[0-9A-Za-z]{1,64}$/.test(text) ? text : undefined;
}
