import type { Catalog } from "../en/mod.ts";
import { audit } from "./audit.ts";
import { bounds } from "./bounds.ts";
import { apiReference, call, callFailure, causes, endpoints, errorRemedies } from "./call.ts";
import { caches } from "./caches.ts";
import { check, connect } from "./connect.ts";
import { clouds } from "./clouds.ts";
import { docs } from "./docs.ts";
import { faults } from "./faults.ts";
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

/** Every text of the console in Simplified Chinese. */
export const zhCn: Catalog = {
  language: "简体中文",
  skip: "跳到正文",
  menu,
  account: {
    open: (email) => `${email} 的账户`,
    administrator: "管理员",
    billing: "财务",
    viewer: "只读",
    member: "成员",
    plural: { administrator: "管理员", billing: "财务人员", viewer: "只读用户", member: "成员" },
    signOut: "退出登录",
    language: "语言",
  },
  theme: { label: "主题", light: "浅色", dark: "深色", system: "跟随系统" },
  copy: { copied: "已复制", failed: "复制失败：请手动选择文字复制。" },
  faults,
  search,
  signIn: {
    title: "登录",
    email: "邮箱",
    password: "密码",
    submit: "登录",
    refused: "邮箱或密码错误。",
    wait: (time) => `尝试次数过多，请在${time}后重试。`,
    busy: "当前登录人数过多，请稍后重试。",
    signedOut: "您已退出登录。",
    notSetUp: "还没有管理员。请打开服务器启动时打印的设置链接。",
  },
  setup: {
    email: "邮箱",
    password: "密码",
    passwordHint: "至少 12 个字符。几个互不相关的词便于记忆。",
    submit: "创建账户",
    emailFault: "请输入邮箱地址，例如 mira@example.com。",
    passwordShort: (missing) => `还需要 ${missing} 个字符。`,
    passwordLong: "最多 1,000 个字符。",
    goneTitle: "此设置链接无效",
    goneText:
      "链接已被使用、已过期或不完整。如果还没有任何账户，请重启服务器以打印新的链接；否则请登录。",
    goneAction: "前往登录",
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
  secretReady: (name) => `${name} 已就绪`,
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
    notFound: "页面不存在",
    notFoundText: "地址有误，或页面已不存在。",
    forbidden: "请求被拒绝",
    forbiddenText: "请求来自其他网站，或页面打开时间过长。请返回并刷新页面后重试。",
    roleRefused: "您的角色无权执行此操作",
    roleRefusedText: (who) => `仅限：${who}。请联系他们，或请管理员为您更改角色。`,
    method: "不支持该请求方法",
    methodText: "该地址不接受这种请求。",
    tooLarge: "请求过大",
    tooLargeText: "表单超过了控制台的大小上限。",
    broken: "发生意外错误",
    brokenText: "请重试。如果问题持续，请将出错时间告知管理员。",
    starting: "控制台正在启动",
    startingText: "请稍后重试。",
    store: "存储不可用",
    storeText: "网关目前无法读写数据。请稍后重试；原因见网关日志。",
    home: "前往概览",
  },
  form: { problem: "请修正标出的字段。" },
  units: {
    seconds: (count) => `${count} 秒`,
    minutes: (count) => `${count} 分钟`,
    formats: {
      "chat-completions": "Chat completions",
      responses: "Responses",
      messages: "Messages",
      "generate-content": "Generate content",
    },
  },
};
