import { assertEquals } from "@std/assert";
import type { Envelope } from "../../lib/formats/codec.ts";
import type { Decoded } from "../../lib/http/decode.ts";
import {
  type AnswerLength,
  answerLengthOf,
  type RecentTokens,
} from "../../lib/ledger/answer_length.ts";

interface Case {
  readonly name: string;
  readonly envelope?: Partial<Envelope>;
  readonly fields?: Partial<Decoded>;
  readonly known?: readonly (number | undefined)[];
  readonly recent?: RecentTokens;
  readonly length: Partial<AnswerLength>;
}

const short: RecentTokens = { outputMost: 40, outputAverage: 20, average: 500 };
const long: RecentTokens = { outputMost: 20_000, outputAverage: 9_000, average: 30_000 };

const cases: readonly Case[] = [
  {
    name: "a stated limit is both the likely and the longest length",
    envelope: { maxOutputTokens: 8_000 },
    known: [4_096],
    length: { most: 8_000, likely: 8_000, least: 32, longest: 8_000 },
  },
  {
    name: "a short stated limit is never lowered",
    envelope: { maxOutputTokens: 5 },
    length: { most: 5, least: 5 },
  },
  {
    name: "without a stated limit, the model's counts",
    known: [128_000],
    length: { most: 128_000, likely: 4_096, least: 32, longest: 128_000 },
  },
  {
    name: "of several models, the longest is reserved and the shortest set",
    known: [128_000, 8_000],
    length: { most: 128_000, longest: 8_000 },
  },
  {
    name: "if the limit of one model is unknown, a default is reserved and the known one is set",
    known: [4_096, undefined],
    length: { most: 32_768, longest: 4_096 },
  },
  {
    name: "an unknown limit is estimated from recent long answers",
    recent: long,
    length: { most: 40_000, likely: 40_000, least: 256, longest: 20_000 },
  },
  {
    name: "after short answers, a smaller remainder is enough",
    recent: short,
    length: { likely: 256, least: 20 },
  },
  {
    name: "a thinking budget is added to the least useful length",
    envelope: { maxOutputTokens: 8_000, thinkingTokens: 4_000 },
    length: { least: 4_032 },
  },
  {
    name: "an answer whose length the body cannot limit has a fixed length",
    fields: { unlimitable: true },
    envelope: { maxOutputTokens: 10_000 },
    length: { most: 10_000, likely: 10_000, least: 10_000, isLimitable: false },
  },
  {
    name: "a transcript is no longer than its recording",
    fields: { unlimitable: true, fileTokens: 90_000 },
    length: { most: 90_000, least: 90_000 },
  },
];

for (const { name, envelope, fields, known = [undefined], recent, length } of cases) {
  Deno.test(`answerLengthOf: ${name}`, () => {
    const decoded = { envelope: { alternatives: 1, ...envelope }, ...fields } as Decoded; // the fields that it reads
    const found = answerLengthOf(decoded, { known, ...(recent && { recent }) });
    assertEquals({ ...found, ...length }, found);
  });
}
