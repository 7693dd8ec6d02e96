import { ExternalLink } from "lucide-react";
import { Section } from "@/components/ui/section";
import type { ProviderGuide } from "@/lib/contract/provider";
import { EventRules } from "./event-rules";
import { Worded } from "./worded";

/** What to do at the provider's end, which id it must know, and what its events do. */
export function ConnectionSteps({ guide }: { guide: ProviderGuide }) {
  return (
    <Section
      title={guide.secretFrom === "us" && guide.name === "generic" ? "On your server" : `At ${guide.label}`}
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
      <div className="grid gap-5">
        <ol className="grid list-decimal gap-2 pl-5 text-sm marker:text-muted">
          {guide.steps.map((step) => (
            <li key={step} className="pl-1">
              {step}
            </li>
          ))}
        </ol>
        <dl className="grid gap-3 text-sm">
          <Note name="The user id">
            {guide.userId} It must equal the referee_uid of the redemption, byte for byte.
          </Note>
          <Note name="When we do not answer">{guide.retries}</Note>
          {guide.unsure.length > 0 && (
            <Note name="Good to know">
              <ul className="grid list-disc gap-1 pl-5">
                {guide.unsure.map((words) => (
                  <li key={words}>
                    <Worded text={words} />
                  </li>
                ))}
              </ul>
            </Note>
          )}
        </dl>
        <EventRules rules={guide.events} />
      </div>
    </Section>
  );
}

function Note({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-1">
      <dt className="font-medium">{name}</dt>
      <dd className="text-muted">{children}</dd>
    </div>
  );
}
