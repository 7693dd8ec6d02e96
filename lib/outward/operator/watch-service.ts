import { mkdir, open, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { formatCount } from "@/lib/contract/format";
import { installationBacklogs } from "@/lib/outward/problems/backlogs";
import type { Db } from "@/lib/platform/db/client";
import { whyNothingIsStored } from "@/lib/platform/db/outage";
import { describeError } from "@/lib/platform/describe-error";
import { deliver } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { lateOf } from "@/lib/platform/jobs/backlog";

/** Work that has been due for this many seconds will not be done by itself. */
const STANDS_STILL_S = 300;

/** While the service stays unhealthy, the operator gets another email after this time. */
const AGAIN_MS = 6 * 60 * 60 * 1_000;

/** The faults of the service itself, a line each. Those of apps are problems, which their owners see. */
async function findFaults(db: Db): Promise<string[]> {
  try {
    const late = lateOf(await installationBacklogs(db), STANDS_STILL_S);
    const reason = whyNothingIsStored();
    const full = reason ? [`The database stores nothing: ${reason}. No code is assigned meanwhile.`] : [];
    return full.concat(
      late.map(
        ({ name, seconds }) =>
          `Background work stands still: ${name}, for ${formatCount(Math.round(seconds / 60), "minute")}.`,
      ),
    );
  } catch (error) {
    return [`The database does not answer: ${describeError(error).message}. No code is assigned meanwhile.`];
  }
}

/**
 * Watches the service for its operator, once a minute in each process. The email goes to the mail server directly, because
 * the queue of emails may be what fails.
 */
export class ServiceWatch {
  private unhealthy = false;
  private notifiedAt = 0;

  constructor(private readonly db: Db) {}

  /** Notifies `OPERATOR_EMAIL` when the service is unhealthy for the second time in a row: one failure may be a restart. */
  async check(): Promise<void> {
    const { OPERATOR_EMAIL, DATA_DIR } = env();
    if (!OPERATOR_EMAIL) return;
    const faults = await findFaults(this.db);
    const before = this.unhealthy;
    this.unhealthy = faults.length > 0;
    if (!this.unhealthy && before) await this.forget(DATA_DIR);
    if (!this.unhealthy || !before || !(await this.isFirst(DATA_DIR))) return;
    await deliver({ id: uuidv7(), recipient: OPERATOR_EMAIL, ...messageOf(faults) }).catch(
      async (error: unknown) => {
        await this.forget(DATA_DIR);
        throw error;
      },
    );
  }

  private async forget(dataDir: string): Promise<void> {
    this.notifiedAt = 0;
    await rm(noticeFile(dataDir), { force: true });
  }

  /** Whether no process of this machine has sent an email lately. An unwritable data folder leaves it to each process. */
  private async isFirst(dataDir: string): Promise<boolean> {
    if (Date.now() - this.notifiedAt < AGAIN_MS) return false;
    const file = noticeFile(dataDir);
    const sent = await stat(file).catch(() => undefined);
    if (sent && Date.now() - sent.mtimeMs < AGAIN_MS) return false;
    if (sent) await rm(file, { force: true });
    const created = await createFile(dataDir, file);
    if (created) this.notifiedAt = Date.now();
    return created;
  }
}

const noticeFile = (dataDir: string) => join(dataDir, "operator-notified");

/** False when another process has created it at the same time. */
async function createFile(folder: string, file: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await (await open(file, "wx", 0o600)).close();
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}

function messageOf(faults: string[]): { subject: string; text: string } {
  const { APP_URL } = env();
  const text = [
    `Metacode at ${APP_URL} (${hostname()}) needs you:`,
    faults.map((line) => `- ${line}`).join("\n"),
    `Read the service's log first; ${APP_URL}/api/health shows the current state. While this lasts, you get an email every six hours.`,
  ];
  return { subject: `Metacode is unhealthy: ${faults[0]?.split(/[:.]/, 1)[0]}`, text: text.join("\n\n") };
}
