import { and, desc, eq, gt, isNull, lt } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { AccountAction, AccountEventLine } from "@/lib/contract/account-events";
import { DAY_MS } from "@/lib/contract/format";
import type { Db } from "@/lib/platform/db/client";
import { accountEvents } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";

interface AccountEvent {
  /** Undefined for an address without an account: its row belongs to no user, and only makes the work equal. */
  userId: string | undefined;
  action: AccountAction;
  detail?: string | undefined;
  /** The caller's network address. */
  address: string;
}

/** Writes an event to the security log of an account, and to the service's log without the account's email address. */
export async function recordAccountEvent(db: Db, event: AccountEvent): Promise<void> {
  const { userId, action, detail, address } = event;
  log().info({ account: userId, action, detail, address }, "account event");
  // By the service's clock, which also compares it later.
  const row = { id: uuidv7(), action, detail, address, createdAt: new Date() };
  await db.orm.insert(accountEvents).values({ ...row, userId: userId ?? uuidv7() });
}

/** Events that the account page shows, and those that an export reads at a time. */
const SHOWN = 20;
const CHUNK = 1_000;

/** The newest events of an account, only those before the event `before` if it is set. */
export async function listAccountEvents(
  db: Db,
  userId: string,
  { size = SHOWN, before }: { size?: number; before?: string | undefined } = {},
): Promise<AccountEventLine[]> {
  const { id, createdAt: at, action, detail, address } = accountEvents;
  const older = before === undefined ? undefined : lt(id, before);
  return db.orm
    .select({ id, at, action, detail, address })
    .from(accountEvents)
    .where(and(eq(accountEvents.userId, userId), older))
    .orderBy(desc(id))
    .limit(size);
}

/** Columns of the exported file, in order. */
export const ACCOUNT_EVENT_COLUMNS = ["time", "action", "detail", "address"] as const;

type AccountEventRow = Record<(typeof ACCOUNT_EVENT_COLUMNS)[number], string | Date | null>;

/** Every event of an account, newest first, read chunk by chunk while the file is written. */
export async function* exportAccountEvents(db: Db, userId: string): AsyncGenerator<AccountEventRow> {
  let page: AccountEventLine[] | undefined;
  do {
    page = await listAccountEvents(db, userId, { size: CHUNK, before: page?.at(-1)?.id });
    for (const { at, action, detail, address } of page) yield { time: at, action, detail, address };
  } while (page.length === CHUNK);
}

/** Whether an account had an event with this action and detail in the last 24 hours. */
export async function happenedToday(
  db: Db,
  { userId, action, detail }: AccountEvent & { userId: string },
): Promise<boolean> {
  const dayAgo = new Date(Date.now() - DAY_MS);
  const [event] = await db.orm
    .select({ id: accountEvents.id })
    .from(accountEvents)
    .where(
      and(
        eq(accountEvents.userId, userId),
        eq(accountEvents.action, action),
        detail === undefined ? isNull(accountEvents.detail) : eq(accountEvents.detail, detail),
        gt(accountEvents.createdAt, dayAgo),
      ),
    )
    .limit(1);
  return event !== undefined;
}
