import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { AppNav } from "@/components/shell/side-nav";
import { Callout } from "@/components/ui/callout";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  children: ReactNode;
}

export default async function AppLayout({ params, children }: Props) {
  const { app } = await personContext((await params).appId);
  return (
    <Frame nav={<AppNav appId={app.id} />}>
      {app.sandbox && (
        <Callout tone="warn">
          <p>This is a sandbox: its keys begin with mc_test_, and test purchases confirm.</p>
        </Callout>
      )}
      {children}
    </Frame>
  );
}
