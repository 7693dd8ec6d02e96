import type { Metadata } from "next";
import { AddChannel } from "@/components/alert/add-channel";
import { AlertList } from "@/components/alert/alert-list";
import { ChannelList } from "@/components/alert/channel-list";
import { PageHeader } from "@/components/dashboard/page-header";
import { Section } from "@/components/ui/section";
import { listChannels } from "@/lib/alerts/channel";
import { listAlerts } from "@/lib/alerts/list";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import {
  addChannelAction,
  changeChannelAction,
  removeChannelAction,
  setChannelEnabledAction,
  testChannelAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

const ACTIONS = {
  change: changeChannelAction,
  enable: setChannelEnabledAction,
  remove: removeChannelAction,
  test: testChannelAction,
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Alerts · ${(await personContext((await params).appId)).app.name}` };
}

export default async function AlertsPage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const [alerts, channels] = await Promise.all([listAlerts(ctx), listChannels(ctx)]);
  const mayChange = mayAct(role, "admin");
  return (
    <>
      <PageHeader title="Alerts">
        You are told once when something goes wrong, and again only after it was mended.
      </PageHeader>
      <Section title="Wrong right now" hint="Looked at every minute.">
        <AlertList appId={app.id} alerts={alerts} />
      </Section>
      <Section
        title="Who is told"
        hint="Owners and admins of the workspace always get a mail."
        action={mayChange && <AddChannel action={addChannelAction} appId={app.id} />}
      >
        <ChannelList appId={app.id} channels={channels} actions={mayChange ? ACTIONS : undefined} />
      </Section>
    </>
  );
}
