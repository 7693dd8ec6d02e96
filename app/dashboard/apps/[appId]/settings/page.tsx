import type { Metadata } from "next";
import { IconField } from "@/components/settings/icon-field";
import { IdentityForm } from "@/components/settings/identity-form";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { FROM_START, startPath } from "@/lib/contract/checklist";
import { mayAct } from "@/lib/contract/workspace";
import { appContext } from "@/lib/web/session/context";
import { updateIconAction, updateIdentityAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Settings · ${(await appContext((await params).appId)).app.name}` };
}

export default async function IdentityPage({ params, searchParams }: Props) {
  const { app, role } = await appContext((await params).appId);
  const mayChange = mayAct(role, "admin");
  const back = (await searchParams).from === FROM_START ? startPath(app.id) : undefined;
  return (
    <>
      <Section
        title="Icon"
        hint="Shown in the dashboard and on the landing page. A square image, at least 256 pixels wide."
      >
        <IconField action={updateIconAction} app={app} readOnly={!mayChange} />
      </Section>
      <Section title="Identity" hint="The name that users see, and your apps in the stores.">
        <IdentityForm action={updateIdentityAction} app={app} readOnly={!mayChange} back={back} />
      </Section>
      <Facts
        facts={[
          {
            name: "App ID",
            value: <code className="font-mono text-note wrap-anywhere">{app.id}</code>,
            action: <CopyButton text={app.id} label="Copy the app ID" />,
          },
          { name: "Mode", value: app.sandbox ? "Sandbox: test purchases count" : "Live" },
        ]}
      />
    </>
  );
}
