import type { Metadata } from "next";
import { DomainForm } from "@/components/settings/domain-form";
import { DomainProof } from "@/components/settings/domain-proof";
import { PhoneLinks } from "@/components/settings/phone-links";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/roles";
import { originOf } from "@/lib/domains/link";
import { personContext } from "@/lib/session/context";
import { setDomainAction, verifyDomainAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Domain · Settings" };

export default async function DomainPage({ params }: Props) {
  const { app, ctx, role } = await personContext((await params).appId);
  const readOnly = !mayAct(role, "admin");
  const domain = app.landingDomain;
  return (
    <>
      <Section title="Landing domain" hint="A host of your own in the links that referrers send.">
        <DomainForm action={setDomainAction} app={app} readOnly={readOnly} />
      </Section>
      {domain && (
        <Section title="Records in the DNS" hint={`They show that ${domain} is yours, and lead it here.`}>
          <DomainProof
            action={verifyDomainAction}
            {...{ app, domain, readOnly }}
            target={new URL(originOf(null)).hostname}
          />
        </Section>
      )}
      <Section title="Opens the app" hint="Where phones read that links open in your app.">
        <PhoneLinks app={app} origin={originOf(ctx.app.landingDomain)} />
      </Section>
    </>
  );
}
