import { assert, assertEquals } from "@std/assert";
import { errorCatalog, type ErrorCode } from "../../lib/canonical/mod.ts";
import type { Attempt } from "../../lib/store/log/mod.ts";
import {
  apiLanguage,
  type FailedCall,
  sentenceOf,
  sentenceOfMany,
  verdictOf,
  verdictWordsZhCn,
} from "../../lib/verdict/mod.ts";

const chinese = { ...apiLanguage, words: verdictWordsZhCn, limitName: () => "密钥的每日预算" };

function attempt(parts: Partial<Attempt>): Attempt {
  return {
    upstreamId: "openai",
    upstreamModel: "gpt-5-mini",
    startedAfterMs: 0,
    durationMs: 1,
    outcome: "upstream_error",
    ...parts,
  };
}

function said(row: Omit<FailedCall, "model">, language = apiLanguage): string {
  const verdict = verdictOf({ model: "gpt-5-mini", ...row });
  assert(verdict);
  return sentenceOf(verdict, language);
}

const limited = attempt({ errorCode: "rate_limit_exceeded", status: 429 });
const failing = attempt({ errorCode: "upstream_error", status: 500, errorType: "server_error" });
/** An attempt that the gateway refused before it sent anything. */
const unsent = (errorCode: ErrorCode) => attempt({ outcome: "refused", errorCode });
const limit = { name: "key daily budget", kind: "money", remaining: 120_000_000n } as const;

interface Case {
  readonly name: string;
  readonly row: Omit<FailedCall, "model">;
  readonly en: string;
  readonly zh: string;
}

const cases: readonly Case[] = [
  {
    name: "an upstream's 500",
    row: { errorCode: "upstream_error", attempts: [failing] },
    en: "openai returned 500 (server_error). Not charged. Safe to retry.",
    zh: "openai 返回 500（server_error）。未计费。可以放心重试。",
  },
  {
    name: "an upstream's 429 on all attempts",
    row: { errorCode: "rate_limit_exceeded", attempts: [limited, limited, limited] },
    en: "openai rate-limited us (429) on all 3 attempts. Not charged. " +
      "Retry later, or add a second upstream for gpt-5-mini.",
    zh:
      "openai 对网关限流（429）（3 次尝试均如此）。未计费。请稍后重试，或为 gpt-5-mini 添加第二个上游。",
  },
  {
    name: "a 429 behind another upstream's 500",
    row: {
      errorCode: "rate_limit_exceeded",
      attempts: [{ ...failing, upstreamId: "azure" }, limited],
    },
    en: "openai rate-limited us (429) on the last of 2 attempts. Not charged. Retry later.",
    zh: "openai 对网关限流（429）（共 2 次尝试，此为最后一次）。未计费。请稍后重试。",
  },
  {
    name: "an answer that broke off and was charged",
    row: {
      errorCode: "upstream_truncated",
      firstByteMs: 30,
      costNanoUsd: 12_300_000n,
      attempts: [attempt({ status: 200, outcome: "truncated", errorCode: "upstream_truncated" })],
    },
    en: "openai closed the connection in the middle of its answer. Charged $0.0123. " +
      "A retry starts a new answer.",
    zh: "openai 在回答途中断开了连接。已计费 $0.0123。重试会生成新的回答。",
  },
  {
    name: "a timeout",
    row: {
      errorCode: "upstream_timeout",
      attempts: [attempt({ errorCode: "upstream_timeout" })],
    },
    en: "openai timed out. Not charged. Safe to retry.",
    zh: "openai 超时。未计费。可以放心重试。",
  },
  {
    name: "a credential that the upstream refuses",
    row: {
      errorCode: "upstream_unauthorized",
      attempts: [attempt({ errorCode: "upstream_unauthorized", status: 401 })],
    },
    en: "openai rejected the gateway's credential (401). Not charged. " +
      "An administrator must replace the credential.",
    zh: "openai 拒绝了网关的凭据（401）。未计费。须由管理员更换凭据。",
  },
  {
    name: "a budget of the gateway's own",
    row: { errorCode: "insufficient_quota", refusedBy: limit },
    en: "The key daily budget has $0.12 left, too little for this call. Not charged. " +
      "Add funds, raise the budget, or wait for its next period.",
    zh:
      "密钥的每日预算仅剩 $0.12，不足以支付本次调用。未计费。请充值、提高预算，或等待下一个周期。",
  },
  {
    name: "upstreams whose breakers are open",
    row: { errorCode: "no_upstream", attempts: [failing] },
    en: "No upstream can serve gpt-5-mini right now. Not charged. " +
      "Retry later, or add another upstream for gpt-5-mini.",
    zh: "目前没有上游能提供 gpt-5-mini。未计费。请稍后重试，或为 gpt-5-mini 添加另一个上游。",
  },
  {
    name: "a model that is not there",
    row: { errorCode: "model_not_found" },
    en: "Model 'gpt-5-mini' is not available on this gateway. Not charged. " +
      "Choose a model from GET /v1/models.",
    zh: "此网关没有模型“gpt-5-mini”。未计费。请从 GET /v1/models 中选择模型。",
  },
  {
    name: "a client that left",
    row: { errorCode: "client_closed", firstByteMs: 3, costNanoUsd: 0n, attempts: [failing] },
    en: "The client disconnected before the answer was complete. Not charged. " +
      "Check the client's own timeout.",
    zh: "客户端在回答完成前断开。未计费。请检查客户端自己的超时设置。",
  },
  {
    name: "a request that could not be converted, so that nothing was sent",
    row: { errorCode: "invalid_request", attempts: [unsent("invalid_request")] },
    en: "A field of the request is missing or wrong. " +
      "The fault is in the request, so it was not sent. Not charged. " +
      "Fix the request; an unchanged retry fails again.",
    zh: "请求中有字段缺失或有误。问题出在请求本身，因此未发送。未计费。" +
      "请修正请求：原样重发仍会失败。",
  },
  {
    name: "a request that could not be converted for the second upstream",
    row: {
      errorCode: "unsupported_parameter",
      attempts: [{ ...failing, upstreamId: "azure" }, unsent("unsupported_parameter")],
    },
    en: "The request uses a parameter that gpt-5-mini does not support. " +
      "The fault is in the request, so it was not sent. Not charged. " +
      "Remove the parameter, or choose another model.",
    zh: "请求使用了 gpt-5-mini 不支持的参数。问题出在请求本身，因此未发送。未计费。" +
      "请去掉该参数，或换用其他模型。",
  },
  {
    name: "a prompt that the upstream blocked in its answer",
    row: {
      errorCode: "content_blocked",
      attempts: [attempt({ status: 200, outcome: "refused", errorCode: "content_blocked" })],
    },
    en: "openai blocked the prompt. Not charged. Rephrase the prompt.",
    zh: "openai 拦截了提示词。未计费。请换一种说法。",
  },
  {
    name: "a row of an older release, without attempts",
    row: { errorCode: "upstream_error", upstreamId: "openai" },
    en: "openai failed. Not charged. Safe to retry.",
    zh: "openai 出错。未计费。可以放心重试。",
  },
];

for (const { name, row, en, zh } of cases) {
  Deno.test(`verdict: ${name}`, () => {
    assertEquals(said(row), en);
    assertEquals(said(row, chinese), zh);
  });
}

Deno.test("verdict: every code has a sentence in both languages, its own and an upstream's", () => {
  const codes = [...Object.keys(errorCatalog) as ErrorCode[], "interrupted"]; // the catalog's keys
  for (const errorCode of codes) {
    for (const attempts of [[], [attempt({ errorCode, status: 418 })]]) {
      for (const [language, end] of [[apiLanguage, "."], [chinese, "。"]] as const) {
        const text = said({ errorCode, attempts }, language);
        assert(text.endsWith(end) && !/undefined|\[object|\.\.|。。/.test(text), text);
      }
    }
  }
});

Deno.test("verdict: an amount of one call is not said of many", () => {
  const row = { model: "m", errorCode: "upstream_error", costNanoUsd: 5n, attempts: [failing] };
  const verdict = verdictOf(row);
  assert(verdict);
  const sentence = sentenceOfMany(verdict, apiLanguage);
  assertEquals(sentence, "openai returned 500 (server_error). Safe to retry.");
});

Deno.test("verdict: a call that did not fail has none, nor has a code of a later release", () => {
  assertEquals(verdictOf({ model: "m" }), undefined);
  assertEquals(verdictOf({ model: "m", errorCode: "of_the_future" }), undefined);
});
