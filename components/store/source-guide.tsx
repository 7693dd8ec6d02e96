import type { ReactNode } from "react";
import { CodeText } from "@/components/ui/code-text";
import { Section } from "@/components/ui/section";
import type { CodeSourceGuide } from "@/lib/contract/code-source";

/** The steps to get codes from a store, and the limits of the store. */
export function SourceGuide({ source, action }: { source: CodeSourceGuide; action?: ReactNode }) {
  const { name, way, steps, limits } = source;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Section
        title={way === "api" ? `${name} key` : `Codes from ${name}`}
        hint={way === "api" ? "Once, by an admin of your App Store Connect team" : "For each batch of codes"}
      >
        <ol className="grid list-decimal gap-2 pl-5 text-sm marker:text-muted">
          {steps.map((step) => (
            <li key={step} className="pl-1">
              <CodeText text={step} />
            </li>
          ))}
        </ol>
        {action}
      </Section>
      <Section title="Limits" hint={`Set by ${name}`}>
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
