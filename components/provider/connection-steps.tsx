import { ExternalLink } from "lucide-react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { CodeText } from "@/components/ui/code-text";
import { Section } from "@/components/ui/section";
import type { EventRuleView, ProviderGuide } from "@/lib/contract/provider";

/** The set-up at the provider, the user ID it must know, and the effects of its events. */
export function ConnectionSteps({ guide }: { guide: ProviderGuide }) {
  return (
    <Section
      title={guide.name === "generic" ? "Set up your server" : `Set up ${guide.label}`}
      action={
        <a
          href={guide.documentation}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1.5 text-note text-accent underline underline-offset-2"
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
          <Note name="User ID">
            {guide.userId} It must equal the referee_uid of the redemption, byte for byte.
          </Note>
          <Note name="Retries">{guide.retries}</Note>
          {guide.unsure.length > 0 && (
            <Note name="Good to know">
              <ul className="grid list-disc gap-1 pl-5">
                {guide.unsure.map((note) => (
                  <li key={note}>
                    <CodeText text={note} />
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

const EFFECTS: Record<EventRuleView["does"], { name: string; tone: BadgeTone }> = {
  confirms: { name: "Confirms", tone: "good" },
  renews: { name: "Renewal", tone: "neutral" },
  reverses: { name: "Reverses", tone: "warn" },
  restores: { name: "Restores", tone: "good" },
  links: { name: "Links IDs", tone: "neutral" },
  ignored: { name: "Ignored", tone: "neutral" },
};

/** The effect of each event of a provider, folded at first. */
function EventRules({ rules }: { rules: readonly EventRuleView[] }) {
  return (
    <details className="group text-sm">
      <summary className="cursor-pointer font-medium">What each event does</summary>
      <ul className="mt-3 grid divide-y divide-line rounded-lg border border-line">
        {rules.map(({ types, when, does, why }) => (
          <li
            key={`${types.join()} ${when ?? ""}`}
            className="grid gap-1.5 p-3.5 sm:grid-cols-[7rem_minmax(0,1fr)]"
          >
            <span>
              <Badge tone={EFFECTS[does].tone}>{EFFECTS[does].name}</Badge>
            </span>
            <div className="grid min-w-0 gap-1">
              <p className="wrap-anywhere">
                <CodeText
                  text={`${types.map((type) => `\`${type}\``).join(", ")}${when ? ` ${when}` : ""}`}
                />
              </p>
              <p className="text-note text-muted">
                <CodeText text={`${why}.`} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-note text-muted">
        Renewals confirm only where the campaign counts any renewal. Events that are not listed are ignored.
      </p>
    </details>
  );
}
