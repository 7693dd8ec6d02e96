import { and, eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { OwnTextsInput } from "@/lib/contract/landing-form";
import { OWN_TEXT_KEYS, type OwnTexts } from "@/lib/contract/landing-texts";
import { apps, landingTexts } from "@/lib/db/schema";
import { readOwnTexts } from "@/lib/landing/own-texts";

/**
 * Sets what an app says on its landing page in one language; blank texts are the defaults again. The page shows it
 * within 10 seconds: invitation and texts are kept for 5 each.
 */
export async function saveTexts(ctx: Context, { language, ...given }: OwnTextsInput): Promise<void> {
  const { id, name } = ctx.app;
  const wanted: OwnTexts = Object.fromEntries(
    OWN_TEXT_KEYS.flatMap((key) => (given[key] ? [[key, given[key]]] : [])),
  );
  await ctx.db.transaction(async (db) => {
    // One after another, or two people who save at once would each put back what the other took away.
    await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, id)).for("update");
    const before = await readOwnTexts(db, id, language);
    const changed = OWN_TEXT_KEYS.filter((key) => before[key] !== wanted[key]);
    if (changed.length === 0) return;
    await db.orm
      .delete(landingTexts)
      .where(and(eq(landingTexts.appId, id), eq(landingTexts.language, language)));
    const rows = Object.entries(wanted).map(([key, text]) => ({ appId: id, language, key, text }));
    if (rows.length > 0) await db.orm.insert(landingTexts).values(rows);
    const of = (texts: OwnTexts) =>
      Object.fromEntries(changed.map((key) => [`${language} ${key}`, texts[key] ?? null]));
    await recordAudit(db, ctx, {
      ...{ action: "app.landing_texts_changed", subject: "app", subjectId: id, subjectName: name },
      ...{ before: of(before), after: of(wanted) },
    });
  });
}
