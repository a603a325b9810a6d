import type { ApiClient, Json, JsonRecord } from "./client.ts";
import { isRecord } from "./columns.ts";
import { type CliOperation, describedOperations, pathParts, pathWith } from "./operation.ts";
import { listedRows } from "./table.ts";
import { CommandError } from "./terminal.ts";
import { timeValue } from "./time.ts";

/** Accepted as the ID of the newest object of a list. */
const latest = "latest";

/** Lists by name, whose first object is not the newest. */
const byName: ReadonlySet<string> = new Set([
  "/groups",
  "/invitations",
  "/models",
  "/projects",
  "/tags",
  "/upstreams",
]);

/**
 * The parts of an operation's path as the API takes them: `latest` becomes the ID of the first
 * object of the list that the part is from, a time one in ISO 8601. Throws `CommandError`, also for
 * the `latest` of a list by name.
 */
export async function pathPartsOf(
  operation: CliOperation,
  args: readonly string[],
  client: ApiClient,
): Promise<Readonly<Record<string, string>>> {
  const parts: Record<string, string> = {};
  for (const [at, name] of pathParts(operation).entries()) {
    const text = args[at];
    if (name === "from") {
      parts[name] = timeValue(text, {
        option: `<${name}>`,
        nowMs: Date.now(),
        isFuture: true,
      });
    } else {
      parts[name] = text === latest ? await newest(name, { operation, parts, client }) : text;
    }
  }
  return parts;
}

async function newest(
  name: string,
  { operation: { path }, parts, client }: {
    readonly operation: CliOperation;
    readonly parts: Readonly<Record<string, string>>;
    readonly client: ApiClient;
  },
): Promise<string> {
  const list = path.slice(0, path.indexOf(`/{${name}}`));
  const isListed = describedOperations.some((one) => one.isList && one.path === list);
  if (byName.has(list)) {
    throw new CommandError(
      "usage",
      `${list.slice(1)} have no latest: give the ${name} itself`,
    );
  }
  const at = list.lastIndexOf("/");
  const answer = await client({
    method: "GET",
    path: pathWith({ path: isListed ? list : list.slice(0, at) }, parts),
    ...(isListed && { query: { limit: "1" } }),
  });
  const row = isListed
    ? listedRows(answer)[0]
    : rowsIn(answer?.[list.slice(at + 1)] ?? null).at(-1); // new ones are added at the end
  const id = row?.[name] ?? row?.id;
  if (typeof id === "string") return id;
  throw new CommandError(
    "failed",
    `There is no latest of ${list.slice(1)}: the list is empty`,
  );
}

function rowsIn(value: Json): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
