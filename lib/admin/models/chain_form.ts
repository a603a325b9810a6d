import {
  type ChainCause,
  chainCauses,
  type ChainMember,
  chainMembersMax,
  hoursPattern,
} from "../../store/catalog/mod.ts";
import { isModelName } from "./model_rows.ts";

/** The members of a virtual model as text: one line each, such as `gpt-5 share=10 stream=yes`. */
export function membersText(members: readonly ChainMember[]): string {
  return members.map(memberLine).join("\n");
}

/** Reads what `membersText` writes; undefined if a line is invalid or names a model again. */
export function readMembers(text: string): readonly ChainMember[] | undefined {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const members = lines.map(readMember).filter((member) => member !== undefined);
  const names = new Set(members.map(({ model }) => model));
  const isValid = members.length > 0 && members.length <= chainMembersMax &&
    members.length === lines.length && names.size === members.length;
  return isValid ? members : undefined;
}

/** A member with its conditions, as a line of the form. */
export function memberLine({ model, ...conditions }: ChainMember): string {
  const words = fields.flatMap(({ word, field, write }) => {
    const value = conditions[field];
    return value === undefined ? [] : [`${word}=${write(value)}`];
  });
  return [model, ...words].join(" ");
}

function readMember(line: string): ChainMember | undefined {
  const [model, ...words] = line.split(/\s+/);
  if (!isModelName(model)) return undefined;
  const conditions = words.map((text) => {
    const [word, value] = text.split("=", 2);
    const field = fields.find((one) => one.word === word);
    const read = field && value ? field.read(value) : undefined;
    return field && read !== undefined ? [field.field, read] : undefined;
  });
  const known = conditions.filter((one) => one !== undefined);
  if (known.length < words.length) return undefined;
  return { model, ...Object.fromEntries(known) };
}

type Condition = Exclude<keyof ChainMember, "model">;

interface Field {
  readonly word: string;
  readonly field: Condition;
  readonly read: (text: string) => ChainMember[Condition];
  readonly write: (value: NonNullable<ChainMember[Condition]>) => string;
}

const percent = { read: readPercent, write: String };
const flag = {
  read: (text: string) => text === "yes" ? true : text === "no" ? false : undefined,
  write: (value: unknown) => value ? "yes" : "no",
};

const fields: readonly Field[] = [
  {
    word: "after",
    field: "causes",
    read: readCauses,
    write: (value) => Array.isArray(value) ? value.join(",") : "",
  },
  { word: "share", field: "sharePercent", ...percent },
  {
    word: "hours",
    field: "hours",
    read: (text) => hoursPattern.test(text) ? text : undefined,
    write: String,
  },
  { word: "budget", field: "budgetPercent", ...percent },
  { word: "stream", field: "stream", ...flag },
  { word: "tools", field: "tools", ...flag },
  { word: "images", field: "images", ...flag },
];

function readPercent(text: string): number | undefined {
  const value = Number(text.replace(/%$/, ""));
  return value >= 1 && value <= 100 ? value : undefined;
}

function readCauses(text: string): readonly ChainCause[] | undefined {
  const words = text.split(",");
  const known = words.flatMap((word) => chainCauses.find((cause) => cause === word) ?? []);
  return known.length === words.length ? known : undefined;
}
