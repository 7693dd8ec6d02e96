import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import { appContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
  children: ReactNode;
}

/** Adds the app's name to the titles, to tell browser tabs of different apps apart. */
export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
  const { app } = await appContext((await params).appId);
  return { title: { default: "Settings", template: `%s · ${app.name} · Metacode` } };
}

export default async function SettingsLayout({ params, children }: Props) {
  const { app } = await appContext((await params).appId);
  const base = `/dashboard/apps/${app.id}/settings`;
  const tabs = [
    { href: base, name: "Identity" },
    { href: `${base}/domain`, name: "Domain" },
    { href: `${base}/rules`, name: "Retries and fraud" },
    { href: `${base}/privacy`, name: "Privacy" },
    { href: `${base}/sandbox`, name: "Sandbox" },
    { href: `${base}/delete`, name: "Delete" },
  ];
  return (
    <div className="grid gap-5">
      <PageHeader title="Settings" />
      <Tabs label="Settings" tabs={tabs} />
      {children}
    </div>
  );
}
