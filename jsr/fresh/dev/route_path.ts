/** The folder of a route file, step by step: its middlewares are those of these folders. */
export function folderOf(file: string): string[] {
  return file.split("/").slice(0, -1).map(patternOf);
}

/** The address of a route file. */
export function pathOf(file: string): string {
  const steps = file.replace(/\.\w+$/, "").split("/");
  if (steps.at(-1) === "index") steps.pop();
  return `/${steps.map(patternOf).join("/")}`;
}

/** Special files before pages, literal names before parameters. */
export function compareRoutes(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  const i = left.findIndex((step, at) => step !== right[at]);
  if (i < 0) return left.length - right.length;
  const order = rankOf(left[i], i === left.length - 1) - rankOf(right[i], i === right.length - 1);
  return order || (left[i] < right[i] ? -1 : 1);
}

/** A folder's middlewares come before its pages, and all special files have such names. */
function rankOf(step: string, isFile: boolean): number {
  if (isFile && step.startsWith("_")) return -1;
  if (isFile && step.startsWith("index.")) return 0;
  if (step.startsWith("[...")) return 3;
  return step.includes("[") ? 2 : 1;
}

/** `[id]` is a parameter, `[...path]` all the rest. */
function patternOf(step: string): string {
  return step.replace(/^\[\.\.\.(\w+)\]$/, ":$1*").replace(/\[(\w+)\]/g, ":$1");
}
