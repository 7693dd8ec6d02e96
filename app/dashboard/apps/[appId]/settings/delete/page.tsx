import type { Metadata } from "next";
import { DeleteApp } from "@/components/settings/app-actions";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { appContext } from "@/lib/web/session/context";
import { deleteAppAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Delete · Settings" };

export default async function DeletePage({ params }: Props) {
  const { app, role } = await appContext((await params).appId);
  const owner = mayAct(role, "owner");
  return (
    <Section
      title="Delete this app"
      hint="Its keys, links and provider addresses stop working at once."
      tone="danger"
      action={owner && <DeleteApp action={deleteAppAction} appId={app.id} name={app.name} />}
    >
      <p className="text-sm text-muted">
        For 7 days, an owner can restore it with all its data from the list of apps. After that, its codes,
        referrers, referrals and rewards are deleted for good.
        {!owner && " Only an owner of the workspace can delete an app."}
      </p>
    </Section>
  );
}
