"use client";

import { Gauge, ScrollText, Settings, UsersRound } from "lucide-react";
import { workspacePath } from "@/components/shell/navigation";
import { SideNav } from "@/components/shell/side-nav";

interface Props {
  workspaceId: string;
  name: string;
  /** Whether the user may read the audit log. */
  audit: boolean;
}

/** The pages of a workspace. */
export function WorkspaceNav({ workspaceId, name, audit }: Props) {
  const base = workspacePath(workspaceId);
  const log = { href: `${base}/audit`, name: "Audit log", icon: ScrollText };
  const links = [
    { href: base, name: "Team", icon: UsersRound },
    { href: `${base}/plan`, name: "Plan and usage", icon: Gauge },
    ...(audit ? [log] : []),
    { href: `${base}/settings`, name: "Settings", icon: Settings },
  ];
  return <SideNav label="Workspace" groups={[{ name, links }]} />;
}
