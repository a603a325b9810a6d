import type { RouteVerdict } from "../../routing/mod.ts";
import type { AccountView, View } from "../page/view.ts";

/** The reason why an upstream would serve a call or not, in the reader's language. */
export function routeWords(verdict: RouteVerdict, view: AccountView): string {
  const { route } = view.catalog.upstreamWords;
  const { lacks = "" } = verdict;
  switch (verdict.verdict) {
    case "disabled":
      return route.disabled;
    case "credentials":
    case "group":
    case "model":
    case "hours":
      return route[verdict.verdict](lacks);
    case "candidate":
    case "cooling":
    case "open":
      return servingWords(verdict, view).join(" · ");
    default:
      return verdict.verdict satisfies never;
  }
}

function servingWords(verdict: RouteVerdict, view: AccountView): string[] {
  const { upstreamWords: { route }, units } = view.catalog;
  const { format, isConverted, priority = 0, weight = 1 } = verdict;
  const answers = format === undefined
    ? route.builtIn
    : route[isConverted ? "converted" : "native"](units.formats[format]);
  return [
    answers,
    route.priority(priority),
    route.weight(weight),
    ...healthWords(verdict, view),
  ];
}

function healthWords(
  { health }: RouteVerdict,
  { catalog: { upstreamWords: { route } }, formats }: AccountView,
): string[] {
  if (health === undefined || health.state === "closed") return [];
  const { state, untilMs = 0, cause = "upstream_error", isProbing } = health;
  const probing = isProbing ? [route.probing] : [];
  if (state === "half-open") return isProbing ? probing : [route[state]];
  const until = formats.moment(untilMs);
  if (state === "cooling") return [route.cooling(until)];
  return [route.open(until, route.causes[cause] ?? route.cause(cause)), ...probing];
}

/** An upstream's error in the reader's language; unknown codes are returned unchanged. */
export function upstreamFaultWords(code: string, { catalog }: Pick<View, "catalog">): string {
  const words: Readonly<Partial<Record<string, string>>> = catalog.upstreamAdmin.faults;
  return words[code] ?? code;
}
