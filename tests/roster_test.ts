import { assert, assertEquals } from "@std/assert";
import { Roster, type RosterMember } from "../lib/roster.ts";
import { promotedPer, promoteLiving } from "./old_generation.ts";

interface Named extends RosterMember {
  readonly name: string;
}

function named(name: string): Named {
  return { name, position: -1 };
}

function namesIn(roster: Roster<Named>): string {
  return roster.members().map(({ name }) => name).sort().join("");
}

Deno.test("a roster has exactly the members that were added and not deleted, in any order of both", () => {
  const roster = new Roster<Named>();
  const [a, b, c, d] = ["a", "b", "c", "d"].map(named);
  for (const member of [a, b, c]) roster.add(member);
  roster.delete(a);
  roster.delete(a);
  roster.delete(d);
  assertEquals([namesIn(roster), roster.size], ["bc", 2]);
  roster.add(d);
  roster.add(a);
  roster.delete(d);
  roster.delete(c);
  assertEquals([namesIn(roster), roster.size], ["ab", 2]);
  for (const member of [b, a]) roster.delete(member);
  assertEquals([namesIn(roster), roster.size], ["", 0]);
});

Deno.test("a roster's members stay the same while it changes", () => {
  const roster = new Roster<Named>();
  const all = [..."abcdef"].map(named);
  for (const member of all) roster.add(member);
  for (const member of roster.members()) roster.delete(member);
  assertEquals(roster.size, 0);
});

const inProgress = 32;

/** Adds objects of half a kilobyte, and deletes each after `inProgress` others. */
async function promotedBy(
  { add, remove }: Record<"add" | "remove", (member: Named) => void>,
): Promise<number> {
  const waiting: Named[] = [];
  add(named("first"));
  promoteLiving();
  return await promotedPer(300_000, () => {
    const member = { ...named("m"), bytes: new Array(60).fill(0) };
    add(member);
    waiting.push(member);
    const oldest = waiting.length > inProgress && waiting.shift();
    if (oldest) remove(oldest);
  });
}

Deno.test("a former member of a roster is collected with the young generation, unlike one of a Set", async () => {
  const roster = new Roster<Named>();
  const set = new Set<Named>();
  const ofRoster = await promotedBy({
    add: (member) => roster.add(member),
    remove: (member) => roster.delete(member),
  });
  const ofSet = await promotedBy({
    add: (member) => set.add(member),
    remove: (member) => set.delete(member),
  });
  assert(ofRoster < 40, `${ofRoster} bytes of each member of a roster were promoted`);
  assert(ofSet > 80, `V8 no longer promotes what leaves a Set (${ofSet} bytes): use one instead`);
});
