import { ExternalLink } from "lucide-react";
import { Section } from "@/components/ui/section";
import type { ProviderGuide } from "@/lib/contract/provider";

/** What to do at the provider's end. */
export function ConnectionSteps({ guide }: { guide: ProviderGuide }) {
  return (
    <Section
      title={guide.label === "RevenueCat" ? "At RevenueCat" : `For ${guide.label.toLowerCase()}`}
      action={
        <a
          href={guide.documentation}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1.5 text-[13px] text-accent underline underline-offset-2"
        >
          Documentation
          <ExternalLink className="size-3.5" aria-hidden />
        </a>
      }
    >
      <ol className="grid list-decimal gap-2 pl-5 text-sm marker:text-muted">
        {guide.steps.map((step) => (
          <li key={step} className="pl-1">
            {step}
          </li>
        ))}
      </ol>
    </Section>
  );
}
