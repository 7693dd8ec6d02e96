import type { Metadata } from "next";
import { DeleteApp } from "@/components/settings/delete-app";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { deleteAppAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Delete · Settings" };

export default async function DeletePage({ params }: Props) {
  const { app, role } = await personContext((await params).appId);
  const owner = mayAct(role, "owner");
  return (
    <Section
      title="Delete this app"
      hint="Its keys, links and provider addresses stop working at once."
      tone="danger"
      action={owner && <DeleteApp action={deleteAppAction} appId={app.id} name={app.name} />}
    >
      <p className="text-sm text-muted">
        For 7 days an owner can bring it back from the list of apps, with everything as it was. Then codes,
        referrers, referrals and rewards are gone for good.
        {!owner && " Only an owner of the workspace can delete an app."}
      </p>
    </Section>
  );
}
