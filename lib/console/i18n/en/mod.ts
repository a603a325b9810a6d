import { faults } from "../../../admin/faults.ts";
import type { FormatName } from "../../../canonical/mod.ts";
import { audit } from "./audit.ts";
import { bounds } from "./bounds.ts";
import { apiReference, call, callFailure, causes, endpoints, errorRemedies } from "./call.ts";
import { caches } from "./caches.ts";
import { check, connect } from "./connect.ts";
import { clouds } from "./clouds.ts";
import { docs } from "./docs.ts";
import { groupPage, groups, projects } from "./groups.ts";
import { deleteKey, keyAdmin, keyForm, keyList, keyPage, keys, keyStatus, secret } from "./keys.ts";
import { charts, lists, sheets, who } from "./lists.ts";
import { log, logPage, usage } from "./log.ts";
import { mail, mailTexts } from "./mail.ts";
import { menu, search, shortcuts } from "./menu.ts";
import {
  chains,
  modelList,
  modelPage,
  models,
  priceAdmin,
  priceProposals,
  prices,
} from "./models.ts";
import { attention, overview, spend, store, welcome } from "./overview.ts";
import { periods } from "./periods.ts";
import { playground } from "./playground.ts";
import { recordings } from "./recordings.ts";
import { security } from "./security.ts";
import { about, settings } from "./settings.ts";
import { tokens } from "./tokens.ts";
import { upstreamAdmin } from "./upstream_admin.ts";
import { upstreamPage, upstreams, upstreamWords } from "./upstreams.ts";
import { invitation, users } from "./users.ts";
import { balance, codes, history, payment } from "./wallet.ts";
import { webhooks } from "./webhooks.ts";

/** Every text of the console in English. Its type is the contract of every other language. */
export const en = {
  language: "English",
  skip: "Skip to content",
  menu,
  account: {
    open: (email: string) => `Account of ${email}`,
    administrator: "Administrator",
    billing: "Billing",
    viewer: "Viewer",
    member: "Member",
    plural: {
      administrator: "administrators",
      billing: "billing users",
      viewer: "viewers",
      member: "members",
    },
    signOut: "Sign out",
    language: "Language",
  },
  theme: { label: "Theme", light: "Light", dark: "Dark", system: "System" },
  copy: { copied: "Copied", failed: "Could not copy. Select the text and copy it yourself." },
  faults,
  search,
  signIn: {
    title: "Sign in",
    email: "E-mail",
    password: "Password",
    submit: "Sign in",
    refused: "Wrong e-mail or password.",
    wait: (time: string) => `Too many attempts. Try again in ${time}.`,
    busy: "Too many sign-ins at the moment. Try again shortly.",
    signedOut: "You are signed out.",
    notSetUp: "No administrator yet. Open the set-up link that the server printed at start-up.",
  },
  setup: {
    email: "E-mail",
    password: "Password",
    passwordHint: "At least 12 characters. A few unrelated words are easy to remember.",
    submit: "Create account",
    emailFault: "Enter an e-mail address, such as mira@example.com.",
    passwordShort: (missing: number) =>
      missing === 1 ? "One more character is needed." : `${missing} more characters are needed.`,
    passwordLong: "At most 1,000 characters.",
    goneTitle: "This set-up link does not work",
    goneText:
      "The link was already used, has expired, or is incomplete. If there is no account yet, restart the server to print a new link. Otherwise sign in.",
    goneAction: "Go to sign-in",
  },
  overview,
  attention,
  bounds,
  caches,
  charts,
  store,
  audit,
  users,
  security,
  invitation,
  codes,
  settings,
  upstreams,
  upstreamAdmin,
  clouds,
  upstreamPage,
  upstreamWords,
  groups,
  webhooks,
  tokens,
  projects,
  shortcuts,
  who,
  chains,
  modelPage,
  priceAdmin,
  priceProposals,
  keys,
  keyStatus,
  deleteKey,
  keyForm,
  secretReady: (name: string) => `${name} is ready`,
  secret,
  log,
  check,
  welcome,
  connect,
  docs,
  periods,
  playground,
  about,
  groupPage,
  keyPage,
  keyAdmin,
  keyList,
  lists,
  sheets,
  prices,
  modelList,
  spend,
  usage,
  logPage,
  callFailure,
  recordings,
  endpoints,
  apiReference,
  causes,
  call,
  errorRemedies,
  models,
  mail,
  mailTexts,
  balance,
  payment,
  history,
  failure: {
    notFound: "Page not found",
    notFoundText: "The address is wrong, or the page no longer exists.",
    forbidden: "Request rejected",
    forbiddenText:
      "The request came from another site, or the page was open too long. Go back, reload the page and try again.",
    roleRefused: "Your role does not allow this",
    roleRefusedText: (who: string) =>
      `Allowed for: ${who}. Ask one of them, or an administrator for another role.`,
    method: "Method not allowed",
    methodText: "This address does not accept this kind of request.",
    tooLarge: "Request too large",
    tooLargeText: "The form exceeds the console's size limit.",
    broken: "Unexpected error",
    brokenText: "Try again. If it persists, give your administrator the time of the error.",
    starting: "The console is starting",
    startingText: "Try again shortly.",
    store: "Store unavailable",
    storeText:
      "The gateway cannot read or save data at the moment. Try again later; the cause is in the gateway's log.",
    home: "Go to overview",
  },
  form: { problem: "Fix the highlighted fields." },
  units: {
    seconds: (count: number) => count === 1 ? "1 second" : `${count} seconds`,
    minutes: (count: number) => count === 1 ? "1 minute" : `${count} minutes`,
    formats: {
      "chat-completions": "Chat completions",
      responses: "Responses",
      messages: "Messages",
      "generate-content": "Generate content",
    } satisfies Record<FormatName, string>,
  },
};

export type Catalog = typeof en;
