import type { ReactNode } from "react";
import { Section } from "@/components/ui/section";
import { Words } from "@/components/ui/words";
import type { CodeSource } from "@/lib/contract/code-source";

/** How codes are had from a store, and what the store allows. */
export function SourceGuide({ source, action }: { source: CodeSource; action?: ReactNode }) {
  const { name, way, steps, limits } = source;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Section
        title={way === "asked" ? `A key of ${name}` : `Codes from ${name}`}
        hint={way === "asked" ? "Once, by an admin of your team there" : "For every batch of codes"}
      >
        <ol className="grid list-decimal gap-2 pl-5 text-sm marker:text-muted">
          {steps.map((step) => (
            <li key={step} className="pl-1">
              <Words text={step} />
            </li>
          ))}
        </ol>
        {action}
      </Section>
      <Section title="Limits" hint={`What ${name} allows`}>
        <ul className="grid list-disc gap-2 pl-5 text-sm marker:text-muted">
          {limits.map((limit) => (
            <li key={limit} className="pl-1">
              {limit}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
