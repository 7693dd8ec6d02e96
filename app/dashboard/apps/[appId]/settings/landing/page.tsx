import type { Metadata } from "next";
import { AccentForm } from "@/components/settings/accent-form";
import { LandingTextsForm } from "@/components/settings/landing-texts-form";
import { Filter, Filters } from "@/components/ui/filters";
import { Section } from "@/components/ui/section";
import {
  directionOf,
  isLandingLanguage,
  LANDING_LANGUAGES,
  LANDING_TAGS,
  type LandingLanguage,
} from "@/lib/contract/landing-languages";
import { mayAct } from "@/lib/contract/roles";
import { defaultTexts } from "@/lib/landing/default-texts";
import { countOwnTexts } from "@/lib/landing/own-text-counts";
import { readOwnTexts } from "@/lib/landing/own-texts";
import { personContext } from "@/lib/session/context";
import { saveAccentAction, saveTextsAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<{ lang?: string | string[] }>;
}

export const metadata: Metadata = { title: "Landing page · Settings" };

export default async function LandingPage({ params, searchParams }: Props) {
  const { app, ctx, role } = await personContext((await params).appId);
  const { lang } = await searchParams;
  const language = typeof lang === "string" && isLandingLanguage(lang) ? lang : "en";
  const readOnly = !mayAct(role, "admin");
  const counts = await countOwnTexts(ctx);
  const nameOf = (tag: LandingLanguage) =>
    counts[tag] ? `${LANDING_LANGUAGES[tag]} (${counts[tag]})` : LANDING_LANGUAGES[tag];
  return (
    <>
      <Section title="Colour" hint="Of the page behind your referral links.">
        <AccentForm action={saveAccentAction} app={app} readOnly={readOnly} />
      </Section>
      <Section
        title="Texts"
        hint="An empty field is the default, which stands in it in grey. Visitors see it within 10 seconds."
        action={
          <Filters>
            <Filter
              name="lang"
              label="Language"
              value={language === "en" ? undefined : language}
              choices={LANDING_TAGS.filter((tag) => tag !== "en").map((tag) => ({
                value: tag,
                name: nameOf(tag),
              }))}
              all={nameOf("en")}
            />
          </Filters>
        }
      >
        <LandingTextsForm
          key={language}
          action={saveTextsAction}
          app={app}
          language={language}
          direction={directionOf(language)}
          own={await readOwnTexts(ctx.db, app.id, language)}
          defaults={defaultTexts(ctx, language)}
          preview={`/dashboard/apps/${app.id}/campaigns/landing?lang=${language}`}
          readOnly={readOnly}
        />
      </Section>
    </>
  );
}
