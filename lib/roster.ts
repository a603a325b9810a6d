/** An object that can be in a roster. */
export interface RosterMember {
  /** Its position in the roster, kept by the roster; -1 outside of it. */
  position: number;
}

/**
 * The objects that are in progress, in no order, such as calls that begin and end all the time. A
 * `Map` or a `Set` is no place for these: V8 chains the tables that they outgrow (14.9), so that as
 * soon as one table is in the old generation, every object that was ever added stays until the next
 * full garbage collection.
 */
export class Roster<Member extends RosterMember> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.position = this.#members.length;
    this.#members.push(member);
  }

  /** Has no effect if the object is not in the roster. */
  delete(member: Member): void {
    const { position } = member;
    if (position < 0) return;
    member.position = -1;
    const last = this.#members.pop();
    if (!last || last === member) return;
    last.position = position;
    this.#members[position] = last;
  }

  /** The present members; changes of the roster do not affect the list. */
  members(): readonly Member[] {
    return [...this.#members];
  }
}
