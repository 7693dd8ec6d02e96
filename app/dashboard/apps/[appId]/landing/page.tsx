import type { Metadata } from "next";
import { IconField } from "@/components/settings/icon-field";
import { LandingEditor } from "@/components/settings/landing-forms";
import { Facts } from "@/components/ui/facts";
import { Filter, Filters } from "@/components/ui/filters";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import {
  directionOf,
  isLandingLanguage,
  LANDING_LANGUAGES,
  LANDING_TAGS,
  type LandingLanguage,
} from "@/lib/contract/landing-languages";
import { mayAct } from "@/lib/contract/workspace";
import { countOwnTexts, loadOwnTexts } from "@/lib/program/texts/own-texts";
import { referralLink } from "@/lib/tenants/domains/link";
import { defaultTexts } from "@/lib/web/landing/preview";
import { appContext } from "@/lib/web/session/context";
import { updateAccentAction, updateIconAction, updateTextsAction } from "../settings/actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<{ lang?: string | string[] }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Landing page · ${(await appContext((await params).appId)).app.name}` };
}

export default async function LandingPage({ params, searchParams }: Props) {
  const { app, ctx, role } = await appContext((await params).appId);
  const { lang } = await searchParams;
  const language = typeof lang === "string" && isLandingLanguage(lang) ? lang : "en";
  const readOnly = !mayAct(role, "admin");
  return (
    <div className="grid gap-5">
      <PageHeader title="Landing page">What friends see when they open a referral link.</PageHeader>
      <LandingEditor
        action={updateTextsAction}
        accentAction={updateAccentAction}
        app={app}
        icon={<IconField action={updateIconAction} app={app} readOnly={readOnly} />}
        languages={<Languages language={language} counts={await countOwnTexts(ctx)} />}
        language={language}
        direction={directionOf(language)}
        own={await loadOwnTexts(ctx.db, app.id, language)}
        defaults={defaultTexts(ctx, language)}
        readOnly={readOnly}
      >
        <Section title="Links" hint="The address that referrers share.">
          <Facts
            facts={[
              {
                name: "Referral link",
                value: (
                  <code className="font-mono text-note wrap-anywhere">
                    {referralLink(ctx.app.landingDomain, "…")}
                  </code>
                ),
                action: (
                  <Link
                    href={`/dashboard/apps/${app.id}/settings/domain`}
                    className="text-sm text-accent underline underline-offset-2"
                  >
                    {ctx.app.landingDomain ? "Change domain" : "Use your own domain"}
                  </Link>
                ),
              },
            ]}
          />
        </Section>
      </LandingEditor>
    </div>
  );
}

/** The languages, each with the number of its own texts. */
function Languages({ language, counts }: { language: LandingLanguage; counts: Record<string, number> }) {
  const nameOf = (tag: LandingLanguage) =>
    counts[tag] ? `${LANDING_LANGUAGES[tag]} (${counts[tag]})` : LANDING_LANGUAGES[tag];
  return (
    <Filters>
      <Filter
        name="lang"
        label="Language"
        value={language === "en" ? undefined : language}
        choices={LANDING_TAGS.filter((tag) => tag !== "en").map((tag) => ({ value: tag, name: nameOf(tag) }))}
        all={nameOf("en")}
      />
    </Filters>
  );
}
