"use client";

import { ActButton } from "@/components/ui/act-button";
import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Field } from "@/components/ui/field";
import { LocalTime } from "@/components/ui/time";
import { RECORD_PREFIX, recordValue } from "@/lib/contract/domain";
import type { FormAction } from "@/lib/contract/form-state";
import { SettingsForm } from "./settings-form";

interface ProofProps {
  action: FormAction<void>;
  app: { id: string; landingDomainVerifiedAt: Date | null; landingDomainLostAt: Date | null };
  domain: string;
  /** The host that the domain has to point to. */
  target: string;
  readOnly: boolean;
}

/** The DNS records of a domain, and whether they were found. */
export function DomainProof({ action, app, domain, target, readOnly }: ProofProps) {
  return (
    <div className="grid gap-4">
      <State app={app} domain={domain} />
      <Facts
        facts={[
          record("TXT name", `${RECORD_PREFIX}${domain}`),
          record("TXT value", recordValue(app.id)),
          record("CNAME", domain, `points to ${target}`),
        ]}
      />
      {!readOnly && (
        <ActButton
          action={action}
          hidden={{ appId: app.id }}
          done={`Links now use ${domain}`}
          look={{ variant: app.landingDomainVerifiedAt ? "secondary" : "primary" }}
        >
          {app.landingDomainVerifiedAt ? "Check again" : "Verify"}
        </ActButton>
      )}
    </div>
  );
}

function record(name: string, text: string, more?: string) {
  return {
    name,
    value: (
      <span className="grid min-w-0">
        <code className="font-mono text-note wrap-anywhere">{text}</code>
        {more && <span className="text-note text-muted">{more}</span>}
      </span>
    ),
    action: <CopyButton text={text} label={`Copy the ${name}`} />,
  };
}

function State({ app, domain }: Pick<ProofProps, "app" | "domain">) {
  if (app.landingDomainLostAt && !app.landingDomainVerifiedAt) {
    return (
      <Callout tone="warn">
        <p>
          Another app has verified {domain}: links to it no longer show your invitations. Enter another
          domain, or verify this one again.
        </p>
      </Callout>
    );
  }
  if (app.landingDomainLostAt) {
    return (
      <Callout tone="warn">
        <p>
          The TXT record has been missing since <LocalTime at={app.landingDomainLostAt} />. Links to {domain}{" "}
          still work. Restore the record, or another app may claim the domain.
        </p>
      </Callout>
    );
  }
  if (app.landingDomainVerifiedAt) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone="good">Verified</Badge> Links use https://{domain}/r/…
      </p>
    );
  }
  return (
    <Callout>
      <p>
        Add both records to your DNS, make sure that the host has a certificate, then verify. Until then,
        links use the shared host.
      </p>
    </Callout>
  );
}

interface DomainProps {
  action: FormAction<void>;
  app: { id: string; landingDomain: string | null };
  readOnly: boolean;
}

const FIELDS = ["landingDomain"] as const;

/** The custom host of the links of an app. */
export function DomainForm({ action, app, readOnly }: DomainProps) {
  return (
    <SettingsForm action={action} appId={app.id} fields={FIELDS} stored={app} readOnly={readOnly}>
      {(state) => (
        <Field
          key={app.landingDomain}
          label="Domain"
          name="landingDomain"
          placeholder="invite.example.com"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={app.landingDomain ?? ""}
          hint="Use a subdomain such as invite.example.com, and use it for nothing else. Leave empty for the shared host."
          optional
          state={state}
        />
      )}
    </SettingsForm>
  );
}
