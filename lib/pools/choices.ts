import type { Context } from "@/lib/context";
import type { PoolChoice } from "@/lib/contract/campaign-view";
import { stockOf } from "@/lib/stats/stock";

/** The app's pools as a campaign can choose them, with what is left in each and the kind of code it gives next. */
export async function poolChoices(ctx: Context): Promise<PoolChoice[]> {
  return (await stockOf(ctx)).map(({ id, name, platform, use, free, batches }) => ({
    ...{ id, name, platform, use, free },
    kind: (batches.find((batch) => batch.free > 0) ?? batches.at(-1))?.kind ?? "one_time",
  }));
}
