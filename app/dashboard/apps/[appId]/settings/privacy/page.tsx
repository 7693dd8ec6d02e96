import type { Metadata } from "next";
import { PersonForm } from "@/components/settings/person-form";
import { RetentionForm } from "@/components/settings/retention-form";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { erasePersonAction, exportPersonAction, saveRetentionAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Privacy · Settings" };

export default async function PrivacyPage({ params }: Props) {
  const { app, role } = await personContext((await params).appId);
  const owner = mayAct(role, "owner");
  return (
    <>
      <Section title="One person" hint="When somebody asks what you keep of them, or to be forgotten.">
        {owner ? (
          <PersonForm appId={app.id} exportAction={exportPersonAction} eraseAction={erasePersonAction} />
        ) : (
          <p className="text-sm text-muted">An owner of the workspace can export or erase a person.</p>
        )}
      </Section>
      <Section title="Retention" hint="What the program does not need is deleted after these days.">
        <RetentionForm action={saveRetentionAction} app={app} readOnly={!mayAct(role, "admin")} />
      </Section>
    </>
  );
}
