import { keys } from "../keys.ts";
import {
  type CallSession,
  isSameRoute,
  type RequestLogRow,
  sessionIn,
  sessionText,
} from "../log/request_log_row.ts";
import { tagOfText } from "../projects/tag.ts";

/** The dimensions by which usage is summed. */
export const rollupDimensions = [
  "all",
  "account",
  "group",
  "upstream",
  "key",
  "model",
  "keyModel",
  "project",
  "projectAccount",
  "projectKey",
  "projectModel",
  "projectTag",
  "tag",
  "session",
] as const;
/** A dimension by which usage is summed. */
export type RollupDimension = typeof rollupDimensions[number];

/** One account, key, group, model, upstream, project, tag or session with its own sums. */
export interface RollupSubject {
  readonly dimension: RollupDimension;
  /**
   * For a key, its account; for a model, the account whose usage is counted, or empty for all
   * accounts; for a key's model or session, the key; for a tag, its key; for the account, key, model
   * or tag of a project, the project; empty for other dimensions.
   */
  readonly scope: string;
  /** The id, or a model's name; for a session, `ID/AGENT/CLASS/MODEL`; empty for `all`. */
  readonly value: string;
}

/** The step of a rollup, in UTC. */
export type RollupStep = "hour" | "day";

/** Builds the subjects of each dimension. */
export const subjects = {
  all: (): RollupSubject => ({ dimension: "all", scope: "", value: "" }),
  account: (id: string): RollupSubject => ({ dimension: "account", scope: "", value: id }),
  group: (id: string): RollupSubject => ({ dimension: "group", scope: "", value: id }),
  upstream: (id: string): RollupSubject => ({ dimension: "upstream", scope: "", value: id }),
  key: (id: string, accountId: string): RollupSubject => ({
    dimension: "key",
    scope: accountId,
    value: id,
  }),
  model: (name: string, accountId = ""): RollupSubject => ({
    dimension: "model",
    scope: accountId,
    value: name.toWellFormed(),
  }),
  keyModel: (name: string, keyId: string): RollupSubject => ({
    dimension: "keyModel",
    scope: keyId,
    value: name.toWellFormed(),
  }),
  project: (id: string): RollupSubject => ({ dimension: "project", scope: "", value: id }),
  projectAccount: (id: string, projectId: string): RollupSubject => ({
    dimension: "projectAccount",
    scope: projectId,
    value: id,
  }),
  projectKey: (id: string, projectId: string): RollupSubject => ({
    dimension: "projectKey",
    scope: projectId,
    value: id,
  }),
  projectModel: (name: string, projectId: string): RollupSubject => ({
    dimension: "projectModel",
    scope: projectId,
    value: name.toWellFormed(),
  }),
  projectTag: (text: string, projectId: string): RollupSubject => ({
    dimension: "projectTag",
    scope: projectId,
    value: text,
  }),
  tag: (text: string): RollupSubject => {
    const { key, value } = tagOfText(text);
    return { dimension: "tag", scope: key, value };
  },
  /** The calls of a sub-agent and request class of a session with one model: one sum holds all four. */
  session: (session: CallSession, keyId: string, model: string): RollupSubject => ({
    dimension: "session",
    scope: keyId,
    value: `${sessionText(session)}/${model.toWellFormed()}`,
  }),
} as const satisfies Record<RollupDimension, (...parts: never[]) => RollupSubject>;

/** The subjects that a call counts for, but its session. */
export interface CountedFor {
  readonly accountId: string;
  readonly keyId: string;
  readonly groupId: string;
  readonly upstreamId?: string;
  readonly projectId?: string;
  readonly tags?: readonly string[];
  /** Present only if an upstream accepted the model's name. */
  readonly model?: string;
}

export function countedOf(row: RequestLogRow): CountedFor {
  const { accountId, keyId, groupId, upstreamId, projectId, tags, model } = row;
  return {
    accountId,
    keyId,
    groupId,
    ...(upstreamId !== undefined && { upstreamId }),
    ...(projectId !== undefined && { projectId }),
    ...(tags && { tags }),
    ...(isKnownModel(row) && { model }),
  };
}

/** Returns the session that a call counts for. */
export function sessionSubject(row: RequestLogRow): RollupSubject | undefined {
  const { session, keyId, model } = row;
  return session && subjects.session(session, keyId, isKnownModel(row) ? model : "");
}

/** Returns the subjects that a call counts for, but its session. */
export function subjectsOf(counted: CountedFor): RollupSubject[] {
  const { accountId, keyId, groupId, upstreamId, projectId, tags = [], model } = counted;
  const found = [
    subjects.all(),
    subjects.account(accountId),
    subjects.group(groupId),
    subjects.key(keyId, accountId),
  ];
  if (projectId !== undefined) found.push(...subjectsOfProject(projectId, counted));
  for (const tag of tags) found.push(subjects.tag(tag));
  if (upstreamId !== undefined) found.push(subjects.upstream(upstreamId));
  if (model !== undefined) {
    found.push(
      subjects.model(model),
      subjects.model(model, accountId),
      subjects.keyModel(model, keyId),
    );
  }
  return found;
}

/** A project, and who and what spends within it. */
function subjectsOfProject(
  id: string,
  { accountId, keyId, tags = [], model }: CountedFor,
): RollupSubject[] {
  return [
    subjects.project(id),
    subjects.projectAccount(accountId, id),
    subjects.projectKey(keyId, id),
    ...model === undefined ? [] : [subjects.projectModel(model, id)],
    ...tags.map((tag) => subjects.projectTag(tag, id)),
  ];
}

/** Dimensions without durations: they are for spending, and each sum costs two more writes. */
const spentAlone: ReadonlySet<RollupDimension> = new Set([
  "tag",
  "projectAccount",
  "projectKey",
  "projectModel",
  "projectTag",
]);

export function hasTimes({ dimension }: Pick<RollupSubject, "dimension">): boolean {
  return !spentAlone.has(dimension);
}

/** Returns the same text for rows that count for the same subjects. Texts of callers come last. */
export function countedKey(row: RequestLogRow): string {
  const { accountId, keyId, groupId, upstreamId = "", projectId = "", tags, model } = row;
  const name = isKnownModel(row) ? `+${model}` : "";
  const labels = tags ? tags.join(",") : "";
  return `${accountId}\0${keyId}\0${groupId}\0${upstreamId}\0${projectId}\0${labels}\0${name}`;
}

/** Returns true if two rows certainly count for the same subjects, without making any text. */
export function areSubjectsEqual(a: RequestLogRow, b: RequestLogRow): boolean {
  return isSameRoute(a, b) && a.tags === b.tags;
}

/**
 * Returns true for the sums of a session. They are kept by hour alone, and only for a while, because
 * callers can name any session.
 */
export function isOfSession({ dimension }: Pick<RollupSubject, "dimension">): boolean {
  return dimension === "session";
}

/** Reads the value of a session's subject; only the model may contain a slash. */
export function sessionOfValue(value: string): CallSession & { readonly model?: string } {
  const model = value.split("/").slice(3).join("/");
  return { ...sessionIn(value), ...(model && { model }) };
}

/** Selects the hours of a session of a key, or of all of its sessions. */
export function sessionHours(keyId: string, id?: string): Deno.KvListSelector {
  const key = (...value: string[]) => keys.rollup("hour", "session", keyId, ...value);
  const afterSlash = "0";
  return id === undefined
    ? { prefix: key() }
    : { start: key(`${id}/`), end: key(`${id}${afterSlash}`) };
}

/** The parts of a key that identify the subject of a rollup. */
function subjectParts({ dimension, scope, value }: RollupSubject): readonly string[] {
  return [dimension, scope, value];
}

/** Statuses by which upstreams reject a model name or a request: the caller's fault. */
const callersFaults = new Set([400, 401, 403, 404, 405, 413, 415, 422]);

/**
 * Returns true if an upstream was called and did not reject the call. Callers can send any model
 * name and sums are kept forever, so other names are not counted.
 */
export function isKnownModel({ upstreamId, status }: RequestLogRow): boolean {
  return upstreamId !== undefined && !callersFaults.has(status);
}

/** The key of a subject's counts. */
export function rollupKey(step: RollupStep, subject: RollupSubject, ...rest: string[]) {
  return keys.rollup(step, ...subjectParts(subject), ...rest);
}

/**
 * The key of a subject's histograms. They are separate from counts, because most readers do not
 * need them.
 */
export function rollupTimesKey(step: RollupStep, subject: RollupSubject, ...rest: string[]) {
  return keys.rollupTimes(step, ...subjectParts(subject), ...rest);
}
