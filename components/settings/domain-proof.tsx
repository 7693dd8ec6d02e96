import { Facts } from "@/components/dashboard/facts";
import { ActButton } from "@/components/ui/act-button";
import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { LocalTime } from "@/components/ui/local-time";
import { RECORD_PREFIX, recordValue } from "@/lib/contract/domain";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  app: { id: string; landingDomainVerifiedAt: Date | null; landingDomainLostAt: Date | null };
  domain: string;
  /** The host that the domain has to lead to. */
  target: string;
  readOnly: boolean;
}

/** What to write into the DNS for a domain, and whether it was seen. */
export function DomainProof({ action, app, domain, target, readOnly }: Props) {
  return (
    <div className="grid gap-4">
      <State app={app} domain={domain} />
      <Facts
        facts={[
          record("TXT name", `${RECORD_PREFIX}${domain}`),
          record("TXT value", recordValue(app.id)),
          record("CNAME", domain, `leads to ${target}`),
        ]}
      />
      {!readOnly && (
        <ActButton
          action={action}
          hidden={{ appId: app.id }}
          done={`Links now lead to ${domain}`}
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
        <code className="font-mono text-[13px] break-all">{text}</code>
        {more && <span className="text-[13px] text-muted">{more}</span>}
      </span>
    ),
    action: <CopyButton text={text} label={`Copy the ${name}`} />,
  };
}

function State({ app, domain }: Pick<Props, "app" | "domain">) {
  if (app.landingDomainLostAt) {
    return (
      <Callout tone="warn">
        <p>
          The TXT record is gone since <LocalTime at={app.landingDomainLostAt} />. Links to {domain} still
          work; put it back, or another app may take the domain.
        </p>
      </Callout>
    );
  }
  if (app.landingDomainVerifiedAt) {
    return (
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone="good">Verified</Badge> Links lead to https://{domain}/r/…
      </p>
    );
  }
  return (
    <Callout>
      <p>
        Add both records where your DNS is kept, make sure that the host has a certificate, then verify. Until
        then links lead to the shared host.
      </p>
    </Callout>
  );
}
