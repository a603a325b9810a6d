/** The configuration cannot be used. The message has a line for each field at fault, and no value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: ErrorOptions) {
    super(faults.join("\n"), options);
    this.faults = faults;
  }
}
