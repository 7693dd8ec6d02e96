import { ArrowRight } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { Facts } from "@/components/dashboard/facts";
import { PageHeader } from "@/components/dashboard/page-header";
import { buttonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await personContext((await params).appId)).app.name };
}

export default async function AppPage({ params }: Props) {
  const { app } = await personContext((await params).appId);
  return (
    <div className="grid gap-5">
      <PageHeader
        title={<span className="text-lg">Overview</span>}
        action={
          <Link href={`/dashboard/apps/${app.id}/keys`} className={buttonClass({ variant: "secondary" })}>
            API keys
            <ArrowRight className="size-4" aria-hidden />
          </Link>
        }
      >
        What the service knows of this app.
      </PageHeader>
      <Facts
        facts={[
          {
            name: "App ID",
            value: <code className="font-mono text-[13px] break-all">{app.id}</code>,
            action: <CopyButton text={app.id} label="Copy the app ID" />,
          },
          { name: "Mode", value: app.sandbox ? "Sandbox: test purchases count" : "Live" },
          { name: "Apple app ID", value: app.appleAppId },
          { name: "Android package", value: app.androidPackage },
        ]}
      />
    </div>
  );
}
