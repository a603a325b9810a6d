import type { AccountView } from "../../lib/console/page/view.ts";
import type { Advice, UpstreamDetail } from "../../lib/console/upstreams/upstream_detail.ts";
import { upstreamFaultWords } from "../../lib/console/upstreams/upstream_words.ts";
import { A } from "../A.tsx";
import { Form } from "../Form.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

interface UpstreamAdviceProps {
  readonly view: AccountView;
  readonly detail: UpstreamDetail;
}

/** The next steps of an administrator; nothing for a healthy upstream. */
export function UpstreamAdvice(
  { view, detail: { advice, row: { upstream } } }: UpstreamAdviceProps,
) {
  const { upstreamPage: texts } = view.catalog;
  if (advice.length === 0) return null;
  return (
    <Panel id="todo" title={texts.todo}>
      <ul class="body advice">
        {advice.map((one, at) => (
          <Item key={at} {...{ view, one, id: upstream.id, isFirst: at === 0 }} />
        ))}
      </ul>
    </Panel>
  );
}

function Item(
  { view, one, id, isFirst }: { view: AccountView; one: Advice; id: string; isFirst: boolean },
) {
  const { title, why, action, href } = wordsOf(one, id, view);
  const style = isFirst ? "button small primary" : "button small";
  return (
    <li>
      <p>
        <b>{title}</b> {why}
      </p>
      {one.type === "enable"
        ? (
          <Form action={href}>
            <button class={style} type="submit" name="enable" value="true">{action}</button>
          </Form>
        )
        : <A class={style} href={href}>{action}</A>}
    </li>
  );
}

interface AdviceWords {
  readonly title: string;
  readonly why: string;
  readonly action: string;
  readonly href: string;
}

function wordsOf(one: Advice, id: string, { catalog }: AccountView): AdviceWords {
  const { upstreamPage: { advice: texts }, upstreamAdmin } = catalog;
  switch (one.type) {
    case "decrypt":
      return {
        title: texts.decrypt,
        why: texts.decryptWhy,
        action: texts.decryptAction,
        href: "#upstream-keys",
      };
    case "enable":
      return {
        title: texts.enable,
        why: texts.enableWhy,
        action: upstreamAdmin.testAndEnable,
        href: `/console/admin/upstreams/${id}/test`,
      };
    case "credential":
      return {
        title: texts.credential(one.credentialId),
        why: texts.credentialWhy,
        action: texts.credentialAction,
        href: "#upstream-keys",
      };
    case "fallback":
      return {
        title: texts.fallback(one.model),
        ...(one.other === undefined
          ? { why: texts.unlisted, action: texts.add, href: "/console/admin/upstreams/new" }
          : {
            why: texts.listed(one.other),
            action: texts.addTo(one.other),
            href: `/console/admin/upstreams/${one.other}/import`,
          }),
      };
    default:
      return one satisfies never;
  }
}

/** The last failed call, in the upstream's own words. */
export function UpstreamLastError({ view, detail: { lastFailure } }: UpstreamAdviceProps) {
  const { catalog: { upstreamPage: texts }, formats } = view;
  if (lastFailure === undefined) return null;
  const { code, atMs, message, callId } = lastFailure;
  return (
    <Panel id="last-error" title={texts.lastError}>
      <div class="body advice">
        {message && <code class="plain said" {...untranslated}>{message}</code>}
        <p class="soft">
          {upstreamFaultWords(code, view)}, <Time atMs={atMs} formats={formats} />
          {callId && (
            <>
              {", "}
              <A href={`/console/log/${callId}`}>{texts.call}</A>
            </>
          )}
        </p>
      </div>
    </Panel>
  );
}
