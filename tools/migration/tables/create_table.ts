const create =
  /^\s*CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)[`"]?\s*\(/i;

/** The table of a `CREATE TABLE` statement; undefined for another one. */
export function createdTable(statement: string): string | undefined {
  return create.exec(statement)?.[1];
}

/** Words that begin a rule of the table in place of a column. */
const rule = /^(PRIMARY|KEY|UNIQUE|CONSTRAINT|INDEX|FOREIGN|CHECK|FULLTEXT|SPATIAL|EXCLUDE)\b/i;

/** The columns of a `CREATE TABLE` statement, in the order in which `INSERT` has their values. */
export function columnsOf(statement: string): readonly string[] {
  const [head = ""] = create.exec(statement) ?? [];
  return definitionsIn(statement.slice(head.length))
    .filter((definition) => !rule.test(definition))
    .map((definition) => /^[`"]?(\w+)[`"]?/.exec(definition)?.[1] ?? "");
}

/** The parts between the commas, without those in brackets and in texts. */
function definitionsIn(body: string): string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: token, index } of body.matchAll(/'(?:[^'\\]|\\.|'')*'|"[^"]*"|`[^`]*`|[(),]/gs)) {
    if (token === "(") depth++;
    else if (token === ")" && depth-- === 0) return [...found, body.slice(from, index).trim()];
    else if (token === "," && depth === 0) {
      found.push(body.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...found, body.slice(from).trim()];
}

/** The names in a list of columns such as `` `id`, "user_id", token ``. */
export function columnNames(list: string): readonly string[] {
  return list.split(",").map((name) => name.trim().replace(/^[`"]|[`"]$/g, ""));
}
