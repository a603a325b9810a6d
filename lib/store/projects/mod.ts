/** Projects, which group accounts, and tags, which group calls. */
export { createProject, getProject, listProjects, type Project, updateProject } from "./project.ts";
export {
  getOrganization,
  getTagBudget,
  listTagBudgets,
  type TagBudget,
  tagBudgetsMax,
  updateOrganization,
  updateTagBudget,
} from "./bounds.ts";
export { isTagKey, isTagValue, type Tag, tagOfText, tagText } from "./tag.ts";
export { addTagValues, readTagValues, tagRoom } from "./tag_values.ts";
