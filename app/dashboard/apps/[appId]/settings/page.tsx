import type { Metadata } from "next";
import { Facts } from "@/components/dashboard/facts";
import { IconField } from "@/components/settings/icon-field";
import { IdentityForm } from "@/components/settings/identity-form";
import { CopyButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { saveIdentityAction, setIconAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Settings" };

export default async function IdentityPage({ params }: Props) {
  const { app, role } = await personContext((await params).appId);
  const mayChange = mayAct(role, "admin");
  return (
    <>
      <Section title="Icon" hint="Shown in the dashboard. A square picture, at least 256 pixels wide.">
        <IconField action={setIconAction} app={app} readOnly={!mayChange} />
      </Section>
      <Section title="Identity" hint="What people see, and where the stores' links lead.">
        <IdentityForm action={saveIdentityAction} app={app} readOnly={!mayChange} />
      </Section>
      <Facts
        facts={[
          {
            name: "App ID",
            value: <code className="font-mono text-[13px] break-all">{app.id}</code>,
            action: <CopyButton text={app.id} label="Copy the app ID" />,
          },
          { name: "Mode", value: app.sandbox ? "Sandbox: test purchases confirm" : "Live" },
        ]}
      />
    </>
  );
}
