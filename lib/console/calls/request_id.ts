/** The id of a call as an address may hold it; undefined where it can be none. */
export function readRequestId(text: string | null | undefined): string | undefined {
  return text && /^req_[0-9A-Za-z]{1,64}$/.test(text) ? text : undefined;
}
