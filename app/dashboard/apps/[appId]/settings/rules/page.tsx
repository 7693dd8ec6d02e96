import type { Metadata } from "next";
import { RulesForm } from "@/components/settings/rules-forms";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { appContext } from "@/lib/web/session/context";
import { updateRulesAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Retries and fraud · Settings" };

export default async function RulesPage({ params }: Props) {
  const { app, role } = await appContext((await params).appId);
  return (
    <Section
      title="Retries and fraud"
      hint="Regardless of these settings, users cannot redeem their own metacode, or redeem twice in a campaign."
    >
      <RulesForm action={updateRulesAction} app={app} readOnly={!mayAct(role, "admin")} />
    </Section>
  );
}
