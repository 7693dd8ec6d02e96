import type { Metadata } from "next";
import { AccentForm, LandingTextsForm } from "@/components/settings/landing-forms";
import { Filter, Filters } from "@/components/ui/filters";
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
import { defaultTexts } from "@/lib/web/landing/preview";
import { appContext } from "@/lib/web/session/context";
import { updateAccentAction, updateTextsAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<{ lang?: string | string[] }>;
}

export const metadata: Metadata = { title: "Landing page · Settings" };

export default async function LandingPage({ params, searchParams }: Props) {
  const { app, ctx, role } = await appContext((await params).appId);
  const { lang } = await searchParams;
  const language = typeof lang === "string" && isLandingLanguage(lang) ? lang : "en";
  const readOnly = !mayAct(role, "admin");
  const counts = await countOwnTexts(ctx);
  const nameOf = (tag: LandingLanguage) =>
    counts[tag] ? `${LANDING_LANGUAGES[tag]} (${counts[tag]})` : LANDING_LANGUAGES[tag];
  return (
    <>
      <Section title="Colour" hint="The accent colour of the landing page.">
        <AccentForm action={updateAccentAction} app={app} readOnly={readOnly} />
      </Section>
      <Section
        title="Texts"
        hint="Empty fields use the default text, shown in grey. Visitors see changes within 10 seconds."
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
          action={updateTextsAction}
          app={app}
          language={language}
          direction={directionOf(language)}
          own={await loadOwnTexts(ctx.db, app.id, language)}
          defaults={defaultTexts(ctx, language)}
          preview={`/dashboard/apps/${app.id}/campaigns/landing?lang=${language}`}
          readOnly={readOnly}
        />
      </Section>
    </>
  );
}
