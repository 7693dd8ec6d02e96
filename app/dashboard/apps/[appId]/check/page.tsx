import type { Metadata } from "next";
import { Suspense } from "react";
import { CheckAgain } from "@/components/integration/check-again";
import { CheckSummary, IntegrationChecks } from "@/components/integration/integration-checks";
import { Simulator } from "@/components/integration/simulator";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { platformsOfApp } from "@/lib/contract/app";
import { CHECK_TOPICS, type CheckTopic, type CheckView, type Reader } from "@/lib/contract/integration-check";
import { mayAct } from "@/lib/contract/workspace";
import { checkIntegration } from "@/lib/outward/integration/check";
import { checkLinks } from "@/lib/outward/integration/check-links";
import { appContext } from "@/lib/web/session/context";
import { findUserApp } from "@/lib/web/session/queries";

interface Props {
  params: Promise<{ appId: string }>;
}

const READ_TOPICS = (Object.keys(CHECK_TOPICS) as CheckTopic[]).filter((topic) => topic !== "links");

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Integration check · ${(await appContext((await params).appId)).app.name}` };
}

export default async function CheckPage({ params }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const reader = { appId: app.id, workspaceId: workspace.id, role };
  const checks = await checkIntegration(ctx);
  const linkProblems = checks.filter(({ topic }) => topic === "links");
  return (
    <>
      <PageHeader title="Integration check" action={<CheckAgain />}>
        Every part between your app, the stores and your provider, with the evidence.{" "}
        <Suspense fallback="Counting the results …">
          <Summary appId={app.id} checks={checks} />
        </Suspense>
      </PageHeader>
      <Section
        title="Try the whole journey"
        hint="From the metacode to the claimed reward, through the real endpoints."
      >
        {app.sandbox ? (
          <Simulator appId={app.id} stores={platformsOfApp(ctx.app)} mayRun={mayAct(role, "member")} />
        ) : (
          <LiveApp twinId={app.twinId} appId={app.id} mayCreate={mayAct(role, "admin")} />
        )}
      </Section>
      {READ_TOPICS.map((topic) => (
        <Section key={topic} {...CHECK_TOPICS[topic]}>
          <IntegrationChecks reader={reader} checks={checks.filter((check) => check.topic === topic)} />
        </Section>
      ))}
      <Section {...CHECK_TOPICS.links}>
        {linkProblems.length > 0 && <IntegrationChecks reader={reader} checks={linkProblems} />}
        <Suspense fallback={<p className="text-sm text-muted">Fetching the files …</p>}>
          <LinkChecks {...reader} />
        </Suspense>
      </Section>
    </>
  );
}

/** The summary of all checks. It waits for other servers, because it includes the checks of links. */
async function Summary({ appId, checks }: { appId: string; checks: readonly CheckView[] }) {
  const { ctx } = await appContext(appId);
  return <CheckSummary checks={[...checks, ...(await checkLinks(ctx))]} />;
}

/** The checks of links, which wait for other servers, so the rest of the page does not wait for them. */
async function LinkChecks(reader: Reader) {
  const { ctx } = await appContext(reader.appId);
  return <IntegrationChecks reader={reader} checks={await checkLinks(ctx)} />;
}

interface LiveAppProps {
  twinId: string | null;
  appId: string;
  mayCreate: boolean;
}

/** The link from a live app to its sandbox, which may have been deleted. */
async function LiveApp({ twinId, appId, mayCreate }: LiveAppProps) {
  const twin = twinId ? await findUserApp(twinId) : undefined;
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
      <span>The journey takes codes and earns rewards, so it runs in the app’s sandbox only.</span>
      {(twin || mayCreate) && (
        <Link
          href={twin ? `/dashboard/apps/${twin.id}/check` : `/dashboard/apps/${appId}/settings/sandbox`}
          className={buttonClass({ variant: "secondary", size: "sm" })}
        >
          {twin ? "Open the sandbox" : "Create a sandbox"}
        </Link>
      )}
    </p>
  );
}
