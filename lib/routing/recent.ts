/** Values by name; once there are `sizeMax`, the one that was not used for the longest goes. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();

  constructor(readonly sizeMax: number) {}

  get size(): number {
    return this.#values.size;
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    this.#values.delete(name);
    this.#values.set(name, value);
    return value;
  }

  /** As `get`, but does not count as use. */
  peek(name: string): Value | undefined {
    return this.#values.get(name);
  }

  /** The value of that name, made where there is none. */
  take(name: string, make: () => Value): Value {
    const known = this.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(name, made);
    if (this.#values.size > this.sizeMax) this.#dropOldest();
    return made;
  }

  values(): readonly Value[] {
    return [...this.#values.values()];
  }

  deleteWhere(isGone: (value: Value) => boolean): void {
    for (const [name, value] of [...this.#values]) {
      if (isGone(value)) this.#values.delete(name);
    }
  }

  #dropOldest(): void {
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }
}
