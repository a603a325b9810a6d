import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { enumNumbers, enumOf } from "./enum_numbers.ts";
import { type Dice, shapes } from "./sampler.ts";
import type { Member, Shape } from "./shape.ts";

/** Changes an object of a known type without changing what it says. */
export type Change = (object: JsonObject, place: Place, dice: Dice) => JsonObject;

export interface Place {
  /** The member that holds the object. */
  readonly holder: string;
  /** The members of the object's own type. */
  readonly own: Readonly<Record<string, Member>>;
  /** The members that only other types of its union have. */
  readonly others: Readonly<Record<string, Member>>;
}

/** The value with every typed object in it changed, at the place that the types give it. */
export function changed(
  value: JsonValue,
  { shape, holder = "" }: { readonly shape: Shape; readonly holder?: string },
  change: Change,
  dice: Dice,
): JsonValue {
  const { own, others, items } = typeOf(shape, value);
  if (Array.isArray(value)) {
    return value.map((item) =>
      items ? changed(item, { shape: items, holder }, change, dice) : item
    );
  }
  if (!isJsonObject(value) || !own) return value;
  const inner = Object.entries(value).map(([name, member]) => [
    name,
    own[name] && member !== undefined && !isVerbatim(name, value)
      ? changed(member, { shape: own[name].shape, holder: name }, change, dice)
      : member,
  ]);
  const object: JsonObject = Object.fromEntries(inner);
  return change(object, { own, others, holder }, dice);
}

/** True for the caller's own data, and for what is shown as it is. */
export function isVerbatim(name: string, { type }: { readonly type?: unknown }): boolean {
  return name === "input_schema" || (type === "computer_call" && name.startsWith("action"));
}

interface Type {
  readonly own?: Readonly<Record<string, Member>>;
  readonly others: Readonly<Record<string, Member>>;
  readonly items?: Shape;
}

function typeOf(shape: Shape, value: JsonValue): Type {
  const all = alternatives(shape);
  const lists = all.filter((one): one is { list: Shape } =>
    typeof one === "object" && "list" in one
  );
  const items = lists.length === 1
    ? lists[0].list
    : lists.length > 1
    ? { oneOf: lists.map(({ list }) => list) }
    : undefined;
  const types = all.flatMap((one) =>
    typeof one === "object" && "members" in one ? [one.members] : []
  );
  if (!isJsonObject(value)) return { others: {}, ...(items && { items }) };
  const own = types.filter((members) => fits(value, members))
    .toSorted((one, other) => unknownIn(value, one) - unknownIn(value, other))[0];
  const others = Object.assign({}, ...types.filter((members) => members !== own));
  for (const name of Object.keys(own ?? {})) delete others[name];
  return { ...(own && { own }), others, ...(items && { items }) };
}

/** The types of a union, however nested. */
export function alternatives(shape: Shape): Shape[] {
  if (typeof shape === "string") return [shape];
  if ("ref" in shape) return alternatives(shapes.named[shape.ref]);
  return "oneOf" in shape ? shape.oneOf.flatMap(alternatives) : [shape];
}

function fits(value: JsonObject, members: Readonly<Record<string, Member>>): boolean {
  return Object.entries(members).every(([name, { shape, optional }]) => {
    const said = value[name];
    if (said === undefined) return optional === true;
    if (typeof shape !== "object" || !("is" in shape)) return true;
    return shape.is.some((one) => one === said);
  });
}

function unknownIn(value: JsonObject, members: Readonly<Record<string, Member>>): number {
  return Object.keys(value).filter((name) => !Object.hasOwn(members, name)).length;
}

/** An absent member is `null`. */
export const nulls: Change = (object, { own }) =>
  added(object, Object.keys(own).filter((name) => own[name].optional), () => null);

/** Members of the other types of a union are present and empty. */
export const emptySiblings: Change = (object, { own, others }) =>
  hasType(own) ? added(object, Object.keys(others), (name) => emptyOf(others[name].shape)) : object;

/** A member that no type has, without and with a value. */
export const extraNull: Change = (object) => ({ ...object, of_tomorrow: null });
export const extras: Change = (object, { own }) =>
  own.type || own.role ? { ...object, of_tomorrow: { says: "news" } } : object;

/** Members of other types are filled, which the type of the object excludes. */
export const filledSiblings =
  (fill: (shape: Shape, name: string) => JsonValue): Change => (object, { own, others }, dice) => {
    const names = Object.keys(others);
    if (!hasType(own) || names.length === 0) return object;
    const name = dice.pick(names);
    if (object.role === "tool" && name === "name") return object; // a result may name its tool so
    return added(object, [name], () => fill(others[name].shape, name));
  };

/** Enums of generate-content are numbers. */
export const numbers: Change = (object, { own, holder }) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      own[name] && value !== undefined ? numbered(value, enumOf(holder, name)) : value,
    ]),
  );

function numbered(value: JsonValue, name: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => numbered(item, name));
  const number = enumNumbers[name]?.indexOf(String(value)) ?? -1;
  // the cloud has other names for some reasons from 5 on, which are tested apart
  const isSure = number >= 0 && (!name.endsWith("Reason") || number < 5);
  return typeof value === "string" && isSure ? number : value;
}

function hasType({ type, role }: Readonly<Record<string, Member>>): boolean {
  return [type, role].some((member) =>
    member && typeof member.shape === "object" && "is" in member.shape
  );
}

function added(object: JsonObject, names: readonly string[], value: (name: string) => JsonValue) {
  const absent = names.filter((name) => object[name] === undefined);
  return { ...object, ...Object.fromEntries(absent.map((name) => [name, value(name)])) };
}

function emptyOf(shape: Shape): JsonValue {
  const [first] = alternatives(shape).filter((one) => typeof one === "string" || !("is" in one));
  if (first === "string") return "";
  if (first === undefined || first === "number") return null;
  return typeof first === "object" && "list" in first ? [] : {};
}
