import Link from "next/link";
import type { ReactNode } from "react";
import { AppMonogram } from "@/components/dashboard/app-monogram";
import { AppTabs } from "@/components/dashboard/app-tabs";
import { Badge } from "@/components/ui/badge";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  children: ReactNode;
}

export default async function AppLayout({ params, children }: Props) {
  const { app, workspace } = await personContext((await params).appId);
  return (
    <div className="grid gap-8">
      <header className="grid gap-5">
        <nav aria-label="Breadcrumb" className="text-[13px] text-muted">
          <Link href="/dashboard" className="rounded-sm hover:text-ink">
            Apps
          </Link>
          <span className="px-2" aria-hidden>
            /
          </span>
          {workspace.name}
        </nav>
        <div className="flex items-center gap-3.5">
          <AppMonogram name={app.name} />
          <p className="truncate text-xl font-semibold tracking-tight">{app.name}</p>
          {app.sandbox && <Badge tone="warn">Sandbox</Badge>}
        </div>
        <AppTabs appId={app.id} />
      </header>
      {children}
    </div>
  );
}
