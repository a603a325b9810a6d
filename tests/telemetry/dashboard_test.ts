import { parser } from "@prometheus-io/lezer-promql";
import { assert, assertEquals } from "@std/assert";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { oneUpstream, startGateway } from "../e2e/gateway.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { chatAnswer } from "../formats/whole_answer.ts";
import { sampleRow } from "../store/samples.ts";

interface Target {
  readonly expr: string;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly Target[];
  readonly gridPos: Readonly<Record<"x" | "y" | "w" | "h", number>>;
}

const file = new URL("../../docs/grafana.json", import.meta.url);
const dashboard = JSON.parse(await Deno.readTextFile(file));
const panels: readonly Panel[] = dashboard.panels;
const variables: readonly { readonly name: string; readonly definition?: string }[] =
  dashboard.templating.list;

/** The labels of each metric, by name, as Prometheus reads them. */
type Labels = ReadonlyMap<string, ReadonlySet<string>>;

/** A metric as an expression uses it. */
interface Use {
  readonly metric: string;
  readonly labels: readonly string[];
}

Deno.test("dashboard: every expression uses metrics and labels that a gateway has", async () => {
  const known = await exportedLabels();
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  assert(expressions.length >= 30, `${expressions.length}`);
  for (const expression of expressions) assertEquals(unknownIn(expression, known), [], expression);
});

Deno.test("dashboard: a wrong metric, a wrong label and a wrong expression are found", async () => {
  const known = await exportedLabels();
  assertEquals(unknownIn("sum(rate(tessera_calls_total[5m]))", known), ["tessera_calls_total"]);
  assertEquals(unknownIn('tessera_requests_total{key="x"}', known), ["tessera_requests_total key"]);
  assertEquals(unknownIn("sum by (kind) (tessera_requests_total)", known), [
    "tessera_requests_total kind",
  ]);
  assertEquals(unknownIn("sum(rate(tessera_requests_total[5m])", known)[0], "syntax");
});

Deno.test("dashboard: it shows every metric of a gateway", async () => {
  const shown = new Set(
    panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => usesIn(expr).uses))
      .map(({ metric }) => familyOf(metric)),
  );
  const families = new Set([...(await exportedLabels()).keys()].map(familyOf));
  assertEquals([...families].filter((name) => !shown.has(name)), []);
});

Deno.test("dashboard: its variables read labels of calls, and panels use no other", () => {
  const named = variables.map(({ name }) => name);
  assertEquals(named, ["datasource", "model", "upstream", "group"]);
  for (const { name, definition } of variables.slice(1)) {
    assertEquals(definition, `label_values(tessera_requests_total, ${name})`);
  }
  const used = new Set(
    JSON.stringify(panels).match(/\$(?!__)\{?\w+/g)?.map((one) => one.replace(/\W/g, "")),
  );
  assertEquals([...used].filter((name) => !named.includes(name)), []);
});

Deno.test("dashboard: it has the form that Grafana imports", () => {
  assertEquals([dashboard.uid, dashboard.schemaVersion >= 39], ["tessera", true]);
  assertEquals(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, type, gridPos: { x, w }, targets = [] } of panels) {
    assert(["row", "stat", "timeseries"].includes(type), title);
    assert(x >= 0 && x + w <= 24, title);
    assertEquals(targets.length > 0, type !== "row", title);
  }
});

Deno.test("dashboard: no panel covers another", () => {
  const taken = new Map<string, string>();
  for (const { title, gridPos: { x, y, w, h } } of panels) {
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        assertEquals(taken.get(`${column} ${line}`), undefined, title);
        taken.set(`${column} ${line}`, title);
      }
    }
  }
});

/** The metrics of a gateway after calls, and those that only events raise which a test cannot cause at once. */
async function exportedLabels(): Promise<Labels> {
  const events = new Metrics();
  events.observeAlert("budget.threshold_reached");
  events.observeAlertDelivery("delivered");
  events.observe(sampleRow(1, {
    costNanoUsd: 1n,
    refusedBy: { name: "key daily budget", kind: "money", remaining: 0n },
  }));
  return labelsIn(`${await textAfterCalls()}${await events.text()}`);
}

async function textAfterCalls(): Promise<string> {
  await using upstream = startUpstream(({ body }) =>
    body.includes("broken") ? new Response("{}", { status: 500 }) : Response.json(chatAnswer())
  );
  const endpoints = { "chat-completions": upstream.base };
  await using gateway = await startGateway(oneUpstream(endpoints));
  for (const content of ["hi", "broken"]) {
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
    });
    await response.body?.cancel();
  }
  return await (await fetch(`${gateway.base}/metrics`)).text();
}

function labelsIn(text: string): Labels {
  const labels = new Map<string, Set<string>>();
  for (const [, name = "", list = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.getOrInsert(name, new Set());
    for (const [, label = ""] of list.matchAll(/(\w+)="/g)) known.add(label);
  }
  return labels;
}

/** The name in `# TYPE`, without the endings of a histogram's lines. */
function familyOf(metric: string): string {
  return metric.replace(/_(bucket|sum|count)$/, "");
}

/** The metrics and labels that an expression uses and a gateway does not have. */
function unknownIn(expression: string, known: Labels): string[] {
  const { uses, isValid } = usesIn(expression);
  if (!isValid) return ["syntax"];
  return uses.flatMap(({ metric, labels }) => {
    const has = known.get(metric);
    if (!has) return [metric];
    return labels.filter((label) => !has.has(label)).map((label) => `${metric} ${label}`);
  });
}

/** The metrics of an expression, each with the labels that select it or group it. */
function usesIn(expression: string): { readonly uses: readonly Use[]; readonly isValid: boolean } {
  const text = expression.replaceAll("$__rate_interval", "5m");
  const [metrics, labels]: [string[], string[]] = [[], []];
  let isValid = true;
  parser.parse(text).iterate({
    enter: ({ type, name, from, to, node }) => {
      const word = text.slice(from, to);
      isValid &&= !type.isError;
      if (name === "LabelName") labels.push(word);
      else if (name === "Identifier" && node.parent?.name === "VectorSelector") metrics.push(word);
    },
  });
  return { uses: metrics.map((metric) => ({ metric, labels })), isValid };
}
