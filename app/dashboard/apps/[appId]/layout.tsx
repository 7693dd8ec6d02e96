import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { AppNav } from "@/components/shell/side-nav";
import { mayAct } from "@/lib/contract/workspace";
import { appContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  children: ReactNode;
}

export default async function AppLayout({ params, children }: Props) {
  const { app, workspace, role } = await appContext((await params).appId);
  const nav = <AppNav appId={app.id} workspace={workspace} admin={mayAct(role, "admin")} />;
  return <Frame nav={nav}>{children}</Frame>;
}
