/** The folder of a route file, step by step, groups included: what middlewares are matched by. */
export function folderOf(file: string): string[] {
  return file.split("/").slice(0, -1).map(patternOf);
}

/** The address of a route file. */
export function pathOf(file: string): string {
  const steps = file.replace(/\.\w+$/, "").split("/").filter((step) => !isGroup(step));
  if (steps.at(-1) === "index") steps.pop();
  return `/${steps.map(patternOf).join("/")}`;
}

/** Special files before pages, literal names before parameters, groups last. */
export function compareRoutes(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareSteps(left, right, i);
    if (order !== 0) return order;
  }
  return 0;
}

const specialOrder = ["_app", "_middleware", "_layout", "_error", "_404"];

function compareSteps(
  left: readonly string[],
  right: readonly string[],
  i: number,
): number {
  const [a, b] = [left[i], right[i]];
  if (a === b) return 0;
  return rankOf(a, i === left.length - 1) - rankOf(b, i === right.length - 1) ||
    (a < b ? -1 : 1);
}

function rankOf(step: string, isFile: boolean): number {
  const name = isFile ? step.replace(/\.\w+$/, "") : step;
  if (isFile && specialOrder.includes(name)) {
    return specialOrder.indexOf(name) - 10;
  }
  if (isFile && name === "index") return 0;
  if (isGroup(name)) return 4;
  if (name.startsWith("[...")) return 3;
  return name.includes("[") ? 2 : 1;
}

function isGroup(step: string): boolean {
  return step.startsWith("(") && step.endsWith(")");
}

/** `[id]` is a parameter, `[[id]]` an optional one, `[...path]` all the rest. */
function patternOf(step: string): string {
  return step
    .replace(/^\[\[(\w+)\]\]$/, ":$1?")
    .replace(/^\[\.\.\.(\w+)\]$/, ":$1*")
    .replace(/\[(\w+)\]/g, ":$1");
}
