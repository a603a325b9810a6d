/** The address of a model's page. */
export function modelPath(name: string, more: Readonly<Record<string, string>> = {}): string {
  return `/console/pricing/model?${new URLSearchParams({ name, ...more })}`;
}

/** A model's page with its price form open and focused. */
export function setPricePath(name: string): string {
  return modelPath(name, { set: "price" });
}
