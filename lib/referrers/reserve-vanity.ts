import { eq } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { slugDirectory } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { isReserved } from "./reserved";

/**
 * Reserves a chosen metacode for a referrer, over all apps; one that the referrer had before is still theirs. Call it
 * first in the transaction: the directory decides races. Throws VALIDATION_ERROR, CONFLICT.
 */
export async function reserveVanity(db: Db, appId: string, referrerId: string, slug: string): Promise<void> {
  const field = "metacode";
  if (isReserved(slug)) fail("VALIDATION_ERROR", `${slug} is a reserved word`, { field });
  const added = await db.orm
    .insert(slugDirectory)
    .values({ slug, appId, referrerId })
    .onConflictDoNothing()
    .returning({ slug: slugDirectory.slug });
  if (added.length > 0) return;
  const [owner] = await db.orm.select().from(slugDirectory).where(eq(slugDirectory.slug, slug));
  if (owner?.appId === appId && owner.referrerId === referrerId) return;
  fail("CONFLICT", `The metacode ${slug} is taken`, { field });
}
