import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { formatCount } from "@/lib/contract/format";
import { machineBacklogs } from "@/lib/outward/problems/backlogs";
import { secondsAhead } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { whyNothingIsStored } from "@/lib/platform/db/outage";
import { describeError } from "@/lib/platform/describe-error";
import { deliver } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { type Backlog, lateOf } from "@/lib/platform/jobs/backlog";
import { unreadableByTable, unreadableSecrets } from "@/lib/platform/secrets/reseal";

/** Seconds after which due work counts as stalled. */
const STANDS_STILL_S = 300;
/** Milliseconds until the operator gets another email while the service stays unhealthy. */
const AGAIN_MS = 6 * 60 * 60 * 1_000;

interface Fault {
  /** The affected part of the service: one email each. */
  part: string;
  line: string;
}

/** The faults of the service itself. Those of apps are problems, which their owners see. */
async function findFaults(db: Db, own: Backlog[]): Promise<Fault[]> {
  try {
    const late = lateOf([...(await machineBacklogs(db)), ...own], STANDS_STILL_S);
    const stalled = late.map(({ name, seconds, app }) => ({
      part: name.split(":", 1)[0] ?? name,
      line: `Background work has stalled: ${name}${app ? ` of app ${app}` : ""}, for ${formatCount(Math.round(seconds / 60), "minute")}.`,
    }));
    return [...noticedFaults(), ...stalled];
  } catch (error) {
    const line = `The database is not responding: ${describeError(error).message}. ${NO_CODES}`;
    return [{ part: DATABASE, line }];
  }
}

function noticedFaults(): Fault[] {
  const [reason, apart, secrets] = [whyNothingIsStored(), Math.abs(secondsAhead() ?? 0), unreadableSecrets()];
  const faults = {
    storage: reason && `The database refuses writes: ${reason}. ${NO_CODES}`,
    clock: apart && `The clocks of machine and database differ by ${apart} s: correct the wrong one.`,
    secrets: secrets && `No key opens ${formatCount(secrets, "secret")} in use: the log says of what.`,
  };
  return Object.entries(faults).flatMap(([part, line]) => (line ? [{ part, line }] : []));
}

const NO_CODES = "No codes are assigned until this is fixed.";
/** While this part is at fault, the faults of the others are unknown. */
const DATABASE = "database";
/** A process that writes nothing, or has not looked for secrets yet, cannot see whether these faults are over. */
const sees = (part: string, writes: boolean): boolean =>
  part === "storage" ? writes : part !== "secrets" || unreadableByTable().size > 0;

/**
 * Watches the service for its operator, once a minute in each process; `writes`: it runs queues and rounds. The email goes to
 * the mail server directly, because the queue of emails may fail. `own` is late work that only this process knows of: pages.
 */
export class ServiceWatch {
  private before = new Set<string>();
  private readonly notifiedAt = new Map<string, number>();

  constructor(
    private readonly db: Db,
    private readonly own: () => Backlog[] = () => [],
    private readonly writes = false,
  ) {}

  /** Notifies `OPERATOR_EMAIL` of a part that is at fault for the second time in a row: one failure may be a restart. */
  async check(): Promise<void> {
    const { OPERATOR_EMAIL, DATA_DIR } = env();
    if (!OPERATOR_EMAIL) return;
    const own = this.own();
    const faults = await findFaults(this.db, own);
    const parts = new Set(faults.map(({ part }) => part));
    const still = new Set(own.some(({ seconds }) => seconds === 0) ? parts : [...parts, "pages"]);
    const over = (part: string) => !still.has(part) && (sees(part, this.writes) || this.notifiedAt.has(part));
    if (!parts.has(DATABASE)) await this.forget(DATA_DIR, over);
    const lasting = [...parts].filter((part) => this.before.has(part));
    this.before = parts;
    const fresh: string[] = [];
    for (const part of lasting) if (await this.isFirst(DATA_DIR, part)) fresh.push(part);
    if (fresh.length === 0) return;
    const email = { id: uuidv7(), recipient: OPERATOR_EMAIL, ...messageOf(faults) };
    await deliver(email).catch(async (error: unknown) => {
      await this.forget(DATA_DIR, (part) => fresh.includes(part));
      throw error;
    });
  }

  /** Forgets the emails about parts, including those of other and of earlier processes. */
  private async forget(dataDir: string, isOver: (part: string) => boolean): Promise<void> {
    const files = await readdir(dataDir).catch(() => []);
    for (const name of files.filter((file) => file.startsWith(NOTICE)))
      if (isOver(name.slice(NOTICE.length))) await rm(join(dataDir, name), { force: true });
    for (const part of this.notifiedAt.keys()) if (isOver(part)) this.notifiedAt.delete(part);
  }

  /** Whether no process of this machine sent an email lately. Without a writable data folder, each decides alone. */
  private async isFirst(dataDir: string, part: string): Promise<boolean> {
    if (performance.now() - (this.notifiedAt.get(part) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return false;
    const file = join(dataDir, NOTICE + part);
    const sent = await stat(file).catch(() => undefined);
    if (sent && Math.abs(Date.now() - sent.mtimeMs) < AGAIN_MS) return false;
    if (sent) await rm(file, { force: true });
    const failure = await mkdir(dataDir, { recursive: true, mode: 0o700 })
      .then(() => writeFile(file, "", { flag: "wx", mode: 0o600 }))
      .catch(({ code }: NodeJS.ErrnoException) => code);
    const isOwn = failure !== "EEXIST";
    if (isOwn) this.notifiedAt.set(part, performance.now());
    return isOwn;
  }
}

/** Prefix of the files that mark a part as reported to the operator. */
const NOTICE = "operator-notified ";

function messageOf(faults: Fault[]): { subject: string; text: string } {
  const text = [
    `Metacode at ${env().APP_URL} (${hostname()}) needs action:`,
    faults.map(({ line }) => `- ${line}`).join("\n"),
    `Read the service's log first; ${env().APP_URL}/api/health shows the current state. While this lasts, you get an email every six hours.`,
  ];
  const subject = `Metacode is unhealthy: ${faults[0]?.line.split(/[:.]/, 1)[0]}`;
  return { subject, text: text.join("\n\n") };
}
