/** Projects, which group accounts, and tags, which group calls. */
export { createProject, getProject, listProjects, type Project, updateProject } from "./project.ts";
export { getOrganization, updateOrganization } from "./organization.ts";
export { isTagKey, isTagValue, type Tag, tagOfText, tagText } from "./tag.ts";
export { addTagValues, readTagValues, tagRoom } from "./tag_values.ts";
export {
  getTagBudget,
  listTagBudgets,
  type TagBudget,
  tagBudgetsMax,
  updateTagBudget,
} from "./tag_budget.ts";
