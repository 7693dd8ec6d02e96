import type { EventRule } from "@/lib/program/providers/common/labels";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";

const DOES: Record<EventRule["does"], string> = {
  confirms: "confirms",
  renews: "confirms only where the campaign counts any renewal",
  reverses: "reverses",
  restores: "restores",
  links: "remembered as ids of one person",
  ignored: "ignored",
};

const SECRETS = {
  us: "created in Metacode, entered there",
  provider: "created there, pasted into Metacode",
  none: "none",
};

const names = Object.keys(PROVIDERS) as ProviderName[];

/**
 * The table of docs/providers.md: every provider with its name in the address, its proof and the origin of its
 * secret.
 */
export function proofTable(): string {
  const rows = names.map((name) => {
    const { label, proof, adapter } = PROVIDERS[name];
    return `| ${label} | \`${name}\` | ${proof} | ${SECRETS[adapter.secret.from]} |`;
  });
  return [
    "| Provider | In the address | Proof of each delivery | Secret |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The section of a provider in docs/providers.md. */
export function providerSection(name: ProviderName): string {
  const { label, userId, retries, unsure, events } = PROVIDERS[name];
  const rules: readonly EventRule[] = events;
  const rows = rules.map(({ types, when, does, why }) => {
    const event = types.map((type) => `\`${type}\``).join(", ");
    return `| ${event}${when ? ` ${when}` : ""} | ${DOES[does]} | ${why} |`;
  });
  const notes = unsure.length > 0 ? ["", ...unsure.map((note) => `- ${note}`)] : [];
  return [
    `### ${label}`,
    "",
    `**User id.** ${userId} **Retries.** ${retries}`,
    ...notes,
    "",
    "| Event | Does | Why |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Names of the parts that docs/providers.md lacks, of those that the functions above return. */
export function missingFrom(document: string): string[] {
  const sections = names.map((name) => [PROVIDERS[name].label, providerSection(name)] as const);
  const parts = [["the table of proofs", proofTable()] as const, ...sections];
  return parts.filter(([, text]) => !document.includes(text)).map(([name]) => name);
}
