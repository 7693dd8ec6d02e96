import type { Metadata } from "next";
import { AddChannel } from "@/components/alert/channel-form";
import { ChannelList } from "@/components/alert/channel-list";
import { ProblemList } from "@/components/overview/problem-list";
import { ActButton } from "@/components/ui/act-button";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { listChannels } from "@/lib/outward/problems/channels";
import { listAlerts } from "@/lib/outward/problems/detect";
import { hasWeeklyEmail } from "@/lib/outward/weekly/weekly-email";
import { appContext } from "@/lib/web/session/context";
import { currentUser } from "@/lib/web/session/current-user";
import {
  createChannelAction,
  deleteChannelAction,
  testChannelAction,
  toggleChannelAction,
  updateChannelAction,
  updateWeeklyEmailAction,
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
  const [alerts, channels, weekly] = await Promise.all([
    listAlerts(ctx),
    listChannels(ctx),
    hasWeeklyEmail(ctx),
  ]);
  const { demo } = await currentUser();
  const mayChange = mayAct(role, "admin");
  const reader = { appId: app.id, workspaceId: ctx.workspace.id, role };
  return (
    <>
      <PageHeader title="Alerts">
        One alert when a problem starts, and another one only if it comes back after it was solved.
      </PageHeader>
      <Section title="Open alerts" hint="Checked every minute.">
        <ProblemList reader={reader} problems={alerts} empty="No open alerts" showSent />
      </Section>
      <Section
        title="Recipients"
        hint="Owners and admins of the workspace always get an email."
        action={mayChange && <AddChannel action={createChannelAction} appId={app.id} />}
      >
        <ChannelList appId={app.id} channels={channels} actions={mayChange ? ACTIONS : undefined} />
      </Section>
      {!demo && (
        <Section
          title="Weekly email"
          hint="Last week’s figures beside those of the week before, on Monday mornings, for you only. No email after a week without activity."
        >
          <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
            <p>{weekly ? "You get this email." : "You do not get this email."}</p>
            <ActButton
              action={updateWeeklyEmailAction}
              hidden={{ appId: app.id, enabled: String(!weekly) }}
              done={weekly ? "Weekly email turned off" : "Weekly email turned on"}
            >
              {weekly ? "Turn off" : "Turn on"}
            </ActButton>
          </div>
        </Section>
      )}
    </>
  );
}
