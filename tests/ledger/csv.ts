/** Reads CSV as RFC 4180 describes it, and nothing else: any other use of a quote is an error. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [[]];
  let rest = text;
  while (rest !== "") {
    const [, quoted, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (end === undefined) throw new Error(`not CSV: ${JSON.stringify(rest.slice(0, 60))}`);
    const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    records.at(-1)?.push(cell);
    rest = rest.slice((quoted === undefined ? plain : `"${quoted}"`).length + end.length);
    if (end === "\r\n" && rest !== "") records.push([]);
  }
  return records;
}
