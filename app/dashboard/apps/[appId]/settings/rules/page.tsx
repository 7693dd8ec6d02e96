import type { Metadata } from "next";
import { RulesForm } from "@/components/settings/rules-form";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { saveRulesAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Retries and fraud · Settings" };

export default async function RulesPage({ params }: Props) {
  const { app, role } = await personContext((await params).appId);
  return (
    <Section
      title="Retries and fraud"
      hint="Nobody can redeem their own metacode or twice in a campaign, whatever stands here."
    >
      <RulesForm action={saveRulesAction} app={app} readOnly={!mayAct(role, "admin")} />
    </Section>
  );
}
