import type { Metadata } from "next";
import { CodeTabs } from "@/components/store/code-tabs";
import { SourceGuide } from "@/components/store/source-guide";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { CODE_SOURCE_GUIDES } from "@/lib/contract/code-source";
import { mayAct } from "@/lib/contract/workspace";
import { appContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Google Play" };

export default async function GooglePlayPage({ params }: Props) {
  const { app, role } = await appContext((await params).appId);
  const toImport = mayAct(role, "member") && (
    <div>
      <Link href={`/dashboard/apps/${app.id}/codes/import`} className={buttonClass()}>
        Import codes
      </Link>
    </div>
  );
  return (
    <div className="grid gap-8">
      <PageHeader title="Codes">
        Google Play has no API for promo codes. Download them in Play Console and import the file here.
      </PageHeader>
      <CodeTabs appId={app.id} />
      <SourceGuide source={CODE_SOURCE_GUIDES.android} action={toImport} />
    </div>
  );
}
