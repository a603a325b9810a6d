import { HttpError, page } from "fresh";
import { A } from "../../components/A.tsx";
import { StoreNotice, ViewingNotice } from "../../components/layout/notices.tsx";
import { FirstCallStep, FirstStepsPage } from "../../components/overview/FirstSteps.tsx";
import { FirstProviderStep } from "../../components/upstreams/FirstProviderForm.tsx";
import { may } from "../../lib/accounts/mod.ts";
import { clientAddress } from "../../lib/admin/audit.ts";
import { createFirstKey, ensureFirstKey } from "../../lib/console/keys/first_key.ts";
import {
  openStep,
  readSteps,
  readStepsQuery,
  type StepsData,
  stepsPath,
  type StepsQuery,
} from "../../lib/console/overview/first_steps.ts";
import { seeOther } from "../../lib/console/page/address.ts";
import { seeOtherWith } from "../../lib/console/page/flash.ts";
import { readForm } from "../../lib/console/page/form.ts";
import { accountPage, type AccountView } from "../../lib/console/page/view.ts";
import { defineForAccount, type PageAuditContext } from "../../lib/console/session/state.ts";
import {
  addFirstProvider,
  type FirstProvider,
  noProvider,
} from "../../lib/console/upstreams/first_provider.ts";

interface PageData extends StepsData {
  readonly provider: FirstProvider;
  readonly upstreams: readonly string[];
}

/** The first steps after the account: a provider or the built-in model, a key and a first call. */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const headers = new Headers();
    return page(await readPage(ctx, noProvider, headers), { headers });
  },

  async POST(ctx) {
    const form = await readForm(ctx.req);
    const query = readStepsQuery(ctx.url.searchParams);
    const intent = form.get("intent");
    if (intent === "key") return await withKey(ctx, query, await createFirstKey(ctx));
    if (!may(ctx.state.account.user, "upstreams:write")) throw new HttpError(404);
    const isBuiltIn = intent === "built-in";
    const shown = isBuiltIn ? undefined : await addFirstProvider(form, ctx);
    if (shown) return page(await readPage(ctx, shown, new Headers()), { status: 422 });
    return await withKey(ctx, { builtIn: isBuiltIn }, await ensureFirstKey(ctx));
  },
});

type PageContext = Parameters<typeof clientAddress>[0] & PageAuditContext & {
  readonly req: Request;
  readonly url: URL;
};

async function readPage(
  ctx: PageContext,
  provider: FirstProvider,
  headers: Headers,
): Promise<PageData> {
  const { req, url, state } = ctx;
  const steps = await readSteps({ req, url, state, ip: clientAddress(ctx) }, headers);
  const upstreams = state.services.directory.upstreams().map(({ id }) => id);
  return { ...steps, provider, upstreams };
}

/** Returns to the page, which shows the secret of a new key once. */
async function withKey(
  { state }: PageAuditContext,
  { builtIn }: StepsQuery,
  made: Awaited<ReturnType<typeof ensureFirstKey>>,
): Promise<Response> {
  const path = stepsPath({ builtIn });
  if (!made) return seeOther(path);
  const { apiKey: { name }, secret } = made;
  return await seeOtherWith({ type: "key-created", name, secret }, path, state);
}

export default accountPage<typeof handler>(({ data, url, view }) => {
  const { catalog: { welcome }, user } = view;
  const isProvider = openStep(data.done) === "provider";
  return (
    <FirstStepsPage
      view={view}
      back={stepsPath(data.query)}
      done={data.done}
      lines={{
        account: user.email,
        provider: <ProviderLine view={view} data={data} />,
        call: welcome.callDone,
      }}
      notices={
        <>
          <ViewingNotice view={view} />
          <StoreNotice view={view} />
        </>
      }
      end={
        <A class={isProvider ? "button" : "button primary"} href="/console">
          {isProvider ? welcome.skip : welcome.finish}
        </A>
      }
    >
      {isProvider
        ? <FirstProviderStep view={view} data={data.provider} />
        : <FirstCallStep view={view} origin={url.origin} data={data} />}
    </FirstStepsPage>
  );
});

function ProviderLine({ view: { catalog: { welcome } }, data }: {
  view: AccountView;
  data: PageData;
}) {
  if (data.upstreams.length > 0) return welcome.providerDone(data.upstreams.length);
  return (
    <>
      {welcome.builtInDone} <A class="link" href={stepsPath()}>{welcome.addProvider}</A>
    </>
  );
}
