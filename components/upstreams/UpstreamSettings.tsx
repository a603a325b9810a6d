import type { ComponentChildren } from "preact";
import {
  modelLine,
  type UpstreamFaults,
  type UpstreamValues,
} from "../../lib/admin/upstreams/upstream_form.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { Form } from "../Form.tsx";
import { Fold } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Fact, Facts } from "../values.tsx";
import {
  ConnectionFields,
  connectionFields,
  RoutingFields,
  routingFields,
  UpstreamFormAlert,
} from "./UpstreamFields.tsx";

interface UpstreamSettingsProps {
  readonly view: AccountView;
  readonly upstream: UpstreamRecord;
  readonly values: UpstreamValues;
  readonly faults: UpstreamFaults;
}

/** Routing and connection of an upstream: one form, unless the configuration declares it. */
export function UpstreamSettings(props: UpstreamSettingsProps) {
  const { view, upstream, faults } = props;
  if (upstream.origin === "config") return <Declared {...props} />;
  const has = (fields: readonly string[]) => fields.some((field) => Object.hasOwn(faults, field));
  return (
    <Form
      class="folds"
      action={`/console/admin/upstreams/${upstream.id}`}
      noValidate
    >
      <UpstreamFormAlert view={view} faults={faults} />
      <RoutingFold {...props} open={has(routingFields)}>
        <RoutingFields {...props} />
        <Save view={view} />
      </RoutingFold>
      <ConnectionFold {...props} open={has(connectionFields)}>
        <ConnectionFields {...props} />
        <Save view={view} />
      </ConnectionFold>
    </Form>
  );
}

type FoldProps = UpstreamSettingsProps & {
  readonly open?: boolean;
  readonly children: ComponentChildren;
};

function RoutingFold({ view, upstream, open, children }: FoldProps) {
  const { upstreamPage: texts } = view.catalog;
  const { priority, weight } = upstream;
  const groups = groupsOf(upstream, view);
  return (
    <Fold
      id="routing"
      title={texts.routing}
      value={texts.routingValue(String(priority), String(weight), groups)}
      open={open}
    >
      <div class="body fields">{children}</div>
    </Fold>
  );
}

function ConnectionFold({ view, upstream: { endpoints, timeouts }, open, children }: FoldProps) {
  const { upstreamPage: texts } = view.catalog;
  const [first = ""] = Object.values(endpoints);
  const [connect, total] = [timeouts.connectMs, timeouts.totalMs].map((ms) => String(ms / 1_000));
  return (
    <Fold
      id="connection"
      title={texts.connection}
      value={`${first}, ${texts.timeoutsValue(connect, total)}`}
      open={open}
    >
      <div class="body fields">{children}</div>
    </Fold>
  );
}

function Save({ view: { catalog: { upstreams } } }: { view: AccountView }) {
  return (
    <div class="actions start">
      <button class="button" type="submit">{upstreams.save}</button>
    </div>
  );
}

function groupsOf({ groups }: UpstreamRecord, { catalog: { upstreams } }: AccountView): string {
  return groups.map((id) => id === "*" ? upstreams.allGroups : id).join(", ");
}

/** The same facts to read. */
function Declared(props: UpstreamSettingsProps) {
  const { view, upstream: { endpoints, models, auth } } = props;
  const { upstreams: texts, upstreamAdmin, units } = view.catalog;
  return (
    <div class="folds">
      <RoutingFold {...props}>
        <Facts>
          <Fact name={texts.models} {...untranslated}>{models.map(modelLine).join(", ")}</Fact>
          <Fact name={texts.groups} {...untranslated}>{groupsOf(props.upstream, view)}</Fact>
        </Facts>
      </RoutingFold>
      <ConnectionFold {...props}>
        <Facts>
          {Object.entries(endpoints).map(([format, url]) => (
            <Fact
              key={format}
              name={units.formats[format as keyof typeof units.formats]} // its own keys
              {...untranslated}
            >
              {url}
            </Fact>
          ))}
          <Fact name={upstreamAdmin.authHeader}>
            {auth && `${auth.header}: ${auth.prefix ?? ""}…`}
          </Fact>
        </Facts>
      </ConnectionFold>
    </div>
  );
}
