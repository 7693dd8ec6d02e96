import type { Metadata } from "next";
import { AddChannel } from "@/components/alert/channel-form";
import { ChannelList } from "@/components/alert/channel-list";
import { ProblemList } from "@/components/overview/problem-list";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { listChannels } from "@/lib/outward/problems/channels";
import { listAlerts } from "@/lib/outward/problems/detect";
import { appContext } from "@/lib/web/session/context";
import {
  createChannelAction,
  deleteChannelAction,
  testChannelAction,
  toggleChannelAction,
  updateChannelAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

const ACTIONS = {
  update: updateChannelAction,
  enable: toggleChannelAction,
  remove: deleteChannelAction,
  test: testChannelAction,
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Alerts · ${(await appContext((await params).appId)).app.name}` };
}

export default async function AlertsPage({ params }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  const [alerts, channels] = await Promise.all([listAlerts(ctx), listChannels(ctx)]);
  const mayChange = mayAct(role, "admin");
  return (
    <>
      <PageHeader title="Alerts">
        One alert when a problem starts, and another one only if it comes back after it was solved.
      </PageHeader>
      <Section title="Open alerts" hint="Checked every minute.">
        <ProblemList appId={app.id} problems={alerts} empty="No open alerts" showSent />
      </Section>
      <Section
        title="Recipients"
        hint="Owners and admins of the workspace always get an email."
        action={mayChange && <AddChannel action={createChannelAction} appId={app.id} />}
      >
        <ChannelList appId={app.id} channels={channels} actions={mayChange ? ACTIONS : undefined} />
      </Section>
    </>
  );
}
