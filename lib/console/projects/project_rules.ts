import { z } from "zod";
import { isTagKey, isTagValue, tagOfText } from "../../store/projects/mod.ts";
import { groupId, groupModels } from "../groups/group_rules.ts";
import type { Catalog } from "../i18n/mod.ts";

/** A fault of a project's field; the catalog has its sentence. */
type ProjectFault = keyof Catalog["projects"]["fault"];

/** Names of pages at the addresses of project pages. */
const reservedIds: ReadonlySet<string> = new Set(["new", "organization", "tags"]);
const administratorsMax = 100;

/** The id of a new project, which is also its name. */
export const projectId = groupId.refine((id) => !reservedIds.has(id), fault("id"));

/** Names of models, or patterns such as `gpt-*`; each once. */
export const projectModels = groupModels;

/** The ids of a project's administrators. */
export const projectAdministrators = z.array(z.string().min(1).max(100))
  .max(administratorsMax, fault("administrators")).transform((all) => [...new Set(all)]);

/** A tag such as `team=a`. */
export const tagTextRule = z.string(fault("tag")).refine((text) => {
  const { key, value } = tagOfText(text);
  return text.includes("=") && isTagKey(key) && isTagValue(value);
}, fault("tag"));

/** Checks that a message is the name of a fault. */
function fault(name: ProjectFault): ProjectFault {
  return name;
}
