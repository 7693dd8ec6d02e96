import type { Metadata } from "next";
import { AppLinks } from "@/components/settings/app-links";
import { DomainForm, DomainProof } from "@/components/settings/domain-settings";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { linkOrigin } from "@/lib/tenants/domains/link";
import { appContext } from "@/lib/web/session/context";
import { updateDomainAction, verifyDomainAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Domain · Settings" };

export default async function DomainPage({ params }: Props) {
  const { app, ctx, role } = await appContext((await params).appId);
  const readOnly = !mayAct(role, "admin");
  const domain = app.landingDomain;
  return (
    <>
      <Section title="Landing domain" hint="Your own domain in the links that referrers share.">
        <DomainForm action={updateDomainAction} app={app} readOnly={readOnly} />
      </Section>
      {domain && (
        <Section
          title="DNS records"
          hint={`They prove that ${domain} is yours and point it to this service.`}
        >
          <DomainProof
            action={verifyDomainAction}
            app={app}
            domain={domain}
            readOnly={readOnly}
            target={new URL(linkOrigin(null)).hostname}
          />
        </Section>
      )}
      <Section title="App links" hint="The files that let phones open your links in the app.">
        <AppLinks app={app} origin={linkOrigin(ctx.app.landingDomain)} />
      </Section>
    </>
  );
}
