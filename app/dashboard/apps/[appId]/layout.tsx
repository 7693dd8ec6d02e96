import type { ReactNode } from "react";
import { Frame } from "@/components/shell/frame";
import { AppNav } from "@/components/shell/side-nav";
import { appContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  children: ReactNode;
}

export default async function AppLayout({ params, children }: Props) {
  const { app } = await appContext((await params).appId);
  return <Frame nav={<AppNav appId={app.id} />}>{children}</Frame>;
}
