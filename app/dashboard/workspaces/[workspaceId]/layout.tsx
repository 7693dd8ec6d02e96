import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { WorkspaceNav } from "@/components/shell/side-nav";
import { mayAct } from "@/lib/contract/workspace";
import { workspaceContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ workspaceId: string }>;
  children: ReactNode;
}

export default async function WorkspaceLayout({ params, children }: Props) {
  const { workspace, role } = await workspaceContext((await params).workspaceId);
  const nav = <WorkspaceNav workspace={workspace} admin={mayAct(role, "admin")} />;
  return <Frame nav={nav}>{children}</Frame>;
}
