import { assert } from "@std/assert";
import type { Counted } from "./counted.ts";

/** The most clicks, with Enter and shortcuts, and the most fields of each journey. */
const targets = {
  "J1 first start to first good call": { clicks: 5, fields: 4 },
  "J2 a key is rotated": { clicks: 3, fields: 0 },
  "J2 a leaked key is blocked": { clicks: 2, fields: 0 },
  "J2 another account's leaked key is disabled": { clicks: 3, fields: 1 },
  "J3 why a call failed, from the log": { clicks: 1, fields: 0 },
  "J3 why a call failed, by its id": { clicks: 0, fields: 1 },
  "J3 a fallback for what failed": { clicks: 1, fields: 0 },
  "J4 which key spent most this week": { clicks: 1, fields: 0 },
  "J4 the organization's dearest key": { clicks: 1, fields: 0 },
  "J4 what one user spent": { clicks: 1, fields: 0 },
  "J5 top up, up to Checkout": { clicks: 3, fields: 0 },
  "J6 Claude Code is set up": { clicks: 2, fields: 0 },
  "J7 an upstream with its price": { clicks: 6, fields: 5 },
  "J8 anything by its name": { clicks: 2, fields: 1 },
  "J9 who spent most yesterday": { clicks: 2, fields: 0 },
  "J10 what bounds a key": { clicks: 1, fields: 0 },
  "J11 raise a project's budget": { clicks: 3, fields: 1 },
  "J12 invite somebody who can call": { clicks: 1, fields: 2 },
  "J13 all alerts": { clicks: 1, fields: 0 },
  "J14 failed calls on a phone": { clicks: 3, fields: 0 },
  "J15 a recorded prompt": { clicks: 3, fields: 0 },
} as const;

/** Says what a journey took, as a line of a table, and that it is no more than it may take. */
export function assertTarget(
  name: keyof typeof targets,
  { clicks, fields }: Pick<Counted, "clicks" | "fields">,
): void {
  const most = targets[name];
  const counts = `${clicks} of ${most.clicks} clicks, ${fields} of ${most.fields} fields`;
  console.log(`${name.padEnd(44)} ${counts}`);
  assert(clicks <= most.clicks && fields <= most.fields, `${name}: ${counts}`);
}
