import type { Metadata } from "next";
import { EndUserForm } from "@/components/settings/end-user-form";
import { RetentionForm } from "@/components/settings/rules-forms";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { appContext } from "@/lib/web/session/context";
import { eraseEndUserAction, exportEndUserAction, updateRetentionAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Privacy · Settings" };

export default async function PrivacyPage({ params }: Props) {
  const { app, role } = await appContext((await params).appId);
  const owner = mayAct(role, "owner");
  return (
    <>
      <Section title="End user" hint="For requests to see or delete personal data.">
        {owner ? (
          <EndUserForm appId={app.id} exportAction={exportEndUserAction} eraseAction={eraseEndUserAction} />
        ) : (
          <p className="text-sm text-muted">Only owners can export or erase an end user.</p>
        )}
      </Section>
      <Section title="Retention" hint="Data that the program no longer needs is deleted after this time.">
        <RetentionForm action={updateRetentionAction} app={app} readOnly={!mayAct(role, "admin")} />
      </Section>
    </>
  );
}
