import { and, eq, inArray, sql } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import type { Db } from "@/lib/db/client";
import { batches, codes } from "@/lib/db/schema";

/** The batch that a known code is in, by what people call it. */
interface KnownBatch {
  id: string;
  offer: string | null;
  origin: string | null;
  state: (typeof batches.$inferSelect)["state"];
  createdAt: Date;
}

interface KnownCode {
  batch: KnownBatch;
  /** The batch is still coming or going: its code may be free to import in two minutes. */
  unsettled: boolean;
}

/** Which codes of a file the app has already, and where. Remembers the batches, so that each is read once. */
export class KnownCodes {
  private readonly batches = new Map<string, KnownBatch>();

  constructor(
    private readonly db: Db,
    private readonly appId: string,
    private readonly platform: Platform,
  ) {}

  /** Those of the texts that are known. One look along the unique index; no code holds the comma that parts them. */
  async find(texts: readonly string[]): Promise<Map<string, KnownCode>> {
    const rows = await this.db.orm
      .select({ code: codes.code, batchId: codes.batchId, status: codes.status })
      .from(codes)
      .where(
        and(
          eq(codes.appId, this.appId),
          eq(codes.platform, this.platform),
          eq(codes.useNumber, 0),
          sql`${codes.code} = any(string_to_array(${texts.join(",")}, ','))`,
        ),
      );
    await this.load(new Set(rows.map(({ batchId }) => batchId)));
    const found = new Map<string, KnownCode>();
    for (const { code, batchId, status } of rows) {
      const batch = this.batches.get(batchId);
      const going = batch?.state === "undone" && status === "available";
      if (batch) found.set(code, { batch, unsettled: going || batch.state === "importing" });
    }
    return found;
  }

  private async load(ids: Set<string>): Promise<void> {
    const unknown = [...ids].filter((id) => !this.batches.has(id));
    if (unknown.length === 0) return;
    const { id, offer, origin, state, createdAt } = batches;
    const rows = await this.db.orm
      .select({ id, offer, origin, state, createdAt })
      .from(batches)
      .where(and(eq(batches.appId, this.appId), inArray(id, unknown)));
    for (const batch of rows) this.batches.set(batch.id, batch);
  }
}
