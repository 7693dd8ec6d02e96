type Metadata = Record<string, unknown>;

interface Profile {
  name?: string | null | undefined;
  handle?: string | null | undefined;
}

/** An influencer's name and handle as they are stored; text or nothing, whatever else the metadata holds. */
export function profileOf(metadata: Metadata | null): { name: string | null; handle: string | null } {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return { name: text(metadata?.name), handle: text(metadata?.handle) };
}

/** The metadata with this name and handle in it; what is empty is left out, what is not mentioned stays. */
export function withProfile(metadata: Metadata, profile: Profile): Metadata {
  const next = { ...metadata };
  for (const key of ["name", "handle"] as const) {
    const value = profile[key];
    if (value === null) delete next[key];
    else if (value !== undefined) next[key] = value;
  }
  return next;
}
