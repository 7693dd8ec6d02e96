import type { Env } from "@/lib/env";
import { keepPostgres } from "@/lib/postgres/keep";

interface OpenDatabase {
  url: string;
  stop: () => Promise<void>;
}

/** The database of `DATABASE_URL`, else the embedded server on `DATA_DIR`, kept alive until `stop`. */
export async function openDatabase(settings: Env, log: (message: string) => void): Promise<OpenDatabase> {
  if (settings.DATABASE_URL) {
    if (!settings.AUTH_SECRET)
      log("Several machines on this database need the same AUTH_SECRET: set it on each.");
    return { url: settings.DATABASE_URL, stop: async () => undefined };
  }
  const { url, stop } = await keepPostgres({ dataDir: settings.DATA_DIR, log });
  return { url, stop };
}
