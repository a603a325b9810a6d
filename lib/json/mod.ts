/** JSON text: bounds, members, and long texts in pieces. README.md says which part is for what. */
export {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setMember,
} from "./json.ts";
export { findIn, isListIn, surelyLacks } from "./late_member.ts";
export { lateObject } from "./late_object.ts";
export { isLong, isLongerThan, jsonPieces, longJson } from "./long_json.ts";
export { longText, matchesIn, pieceEnd } from "./long_text.ts";
export { parsedInPieces } from "./pieces.ts";
export { readJson, readLongLate, readScanned, type ScannedJson, valueOfScanned } from "./read.ts";
export { atOnceMax, type JsonBounds, JsonScan, JsonTooComplex, scanJson } from "./scan.ts";
export { isParsed, parsedSimple, type ParsedText, withParsed } from "./simple.ts";
export {
  AsciiText,
  byteLengthOf,
  lengthOf,
  type ReadText,
  searchedText,
  stringEnd,
} from "./read_text.ts";
export {
  ambiguousName,
  foldedName,
  isAmbiguous,
  mayBeAmbiguous,
  memberText,
  readMemberText,
  withMember,
  withMembers,
  withNewMembers,
  withReadMember,
  withReadMembers,
} from "./text.ts";
