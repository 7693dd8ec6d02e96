import type { ReactNode } from "react";
import { QuotaUsedUp } from "@/components/overview/quota-card";
import { Frame } from "@/components/shell/frame";
import { AppNav } from "@/components/shell/side-nav";
import { mayAct } from "@/lib/contract/workspace";
import { appContext, quotaOf } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  children: ReactNode;
}

export default async function AppLayout({ params, children }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const nav = <AppNav appId={app.id} workspace={workspace} admin={mayAct(role, "admin")} />;
  return (
    <Frame nav={nav}>
      <QuotaUsedUp {...(await quotaOf(ctx))} workspaceId={workspace.id} />
      {children}
    </Frame>
  );
}
