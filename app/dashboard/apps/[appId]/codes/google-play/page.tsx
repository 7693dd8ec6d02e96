import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/dashboard/page-header";
import { CodeTabs } from "@/components/store/code-tabs";
import { SourceGuide } from "@/components/store/source-guide";
import { buttonClass } from "@/components/ui/button";
import { CODE_SOURCES } from "@/lib/contract/code-source";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Google Play" };

export default async function GooglePlayPage({ params }: Props) {
  const { app, role } = await personContext((await params).appId);
  const toImport = mayAct(role, "member") && (
    <div>
      <Link href={`/dashboard/apps/${app.id}/codes/import`} className={buttonClass()}>
        Import the file
      </Link>
    </div>
  );
  return (
    <div className="grid gap-8">
      <PageHeader title={<span className="text-lg">Codes</span>}>
        Google has no interface for promo codes: a person downloads them, and this service imports the file.
      </PageHeader>
      <CodeTabs appId={app.id} />
      <SourceGuide source={CODE_SOURCES.android} action={toImport} />
    </div>
  );
}
