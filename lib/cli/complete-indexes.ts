import { setTimeout as pause } from "node:timers/promises";
import { buildIndexes, type ConcurrentIndex, missingIndexes } from "@/lib/platform/db/indexes";
import { reasonOf } from "@/lib/platform/describe-error";
import { directUrl, type Env } from "@/lib/platform/env";

const TRY_AGAIN_MS = 60_000;

const namesOf = (indexes: ConcurrentIndex[]) => indexes.map(({ name }) => name).join(", ");

/**
 * Builds the indexes that the migrations left out because their tables are large. Resolves once the unique ones exist;
 * the others, `rest`, are built while the service already answers.
 */
export async function completeIndexes(
  settings: Pick<Env, "DATABASE_POOLER" | "DATABASE_DIRECT_URL">,
  url: string,
  say: (text: string) => void,
): Promise<{ rest: Promise<void> }> {
  const nothing = { rest: Promise.resolve() };
  const missing = await missingIndexes(url);
  if (missing.length === 0) return nothing;
  const direct = directUrl(settings, url);
  const unique = missing.filter((index) => index.unique);
  if (!direct) {
    const text = `Large tables lack indexes, which cannot be built through a pooler: set DATABASE_DIRECT_URL (${namesOf(missing)})`;
    if (unique.length > 0) throw new Error(text);
    say(text);
    return nothing;
  }
  say(`Building indexes of large tables, beside running requests: ${namesOf(missing)}`);
  const build = async (indexes: ConcurrentIndex[]) => {
    if (indexes.length === 0) return;
    await buildIndexes(direct, indexes);
    const names = new Set(indexes.map(({ name }) => name));
    const left = (await missingIndexes(url)).filter(({ name }) => names.has(name));
    if (left.length > 0) throw new Error(`${ANOTHER_DATABASE} (${namesOf(left)})`);
  };
  await build(unique);
  return { rest: buildUntilDone(build, missing, say) };
}

/** For a direct address whose database lacks the tables, or already has an index of that name. */
const ANOTHER_DATABASE =
  "DATABASE_DIRECT_URL must name the same database as DATABASE_URL, which still lacks indexes";

async function buildUntilDone(
  build: (indexes: ConcurrentIndex[]) => Promise<void>,
  indexes: ConcurrentIndex[],
  say: (text: string) => void,
): Promise<void> {
  for (;;) {
    try {
      await build(indexes);
      return say(`Indexes are complete: ${namesOf(indexes)}`);
    } catch (error) {
      say(`An index was not built and is tried again in a minute: ${reasonOf(error).split("\n", 1)[0]}`);
    }
    await pause(TRY_AGAIN_MS, undefined, { ref: false });
  }
}
