import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { isUuid } from "@/lib/contract/fields";
import type { Browser, SessionLine } from "@/lib/contract/session";
import type { Plan, Role } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { memberships, sessions, users, workspaces } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { recordAccountEvent } from "./events";

/** Seconds after which a session ends, however much it is used. */
export const SESSION_SECONDS = 14 * 24 * 60 * 60;

/** Minimum time between two updates of a session's last use. */
const NOTE_USE_MS = 5 * 60_000;

/** The account that signs in, at one version of its sessions. Raising the version ends every earlier session. */
export interface SessionClaims {
  id: string;
  sessionVersion: number;
  /** The time of signing in, if the session continues an earlier one. */
  since?: Date | undefined;
}

/** The content of a session's token: the account, and the row of the session. */
export interface Session extends SessionClaims {
  sessionId: string;
}

export interface Membership {
  id: string;
  name: string;
  plan: Plan;
  role: Role;
}

/** The signed-in user of the dashboard, with the workspaces that the user is a member of. */
export interface SignedInUser {
  id: string;
  name: string;
  email: string;
  workspaces: Membership[];
  /** A visitor of the demo, who has no account. */
  demo?: true;
}

/**
 * Every visitor of the demo. It is a member without an account, so there is neither a password nor an address to
 * take over, and its session has no row that other visitors could see.
 */
export const DEMO_USER_ID = "0190de30-0000-7000-8000-000000000001";

/** The content of a demo visitor's token. */
export const DEMO_SESSION: Session = { id: DEMO_USER_ID, sessionVersion: 0, sessionId: DEMO_USER_ID };

/** Starts a session of an account that has proved every factor, and ends the browser's `earlier` one: it may be copied. */
export async function createSession(
  db: Db,
  claims: SessionClaims,
  browser: Browser,
  earlier?: Session,
): Promise<Session> {
  const sessionId = uuidv7();
  const { address } = browser;
  const userAgent = browser.userAgent.slice(0, 300).toWellFormed();
  // Set by the service's clock, which also compares them later.
  const now = new Date();
  const createdAt = claims.since ?? now;
  const row = { id: sessionId, userId: claims.id, address, userAgent, createdAt, lastSeenAt: now };
  await db.orm.insert(sessions).values(row);
  if (earlier && isUuid(earlier.id) && isUuid(earlier.sessionId))
    await db.orm
      .delete(sessions)
      .where(and(eq(sessions.id, earlier.sessionId), eq(sessions.userId, earlier.id)));
  return { id: claims.id, sessionVersion: claims.sessionVersion, sessionId };
}

/** The sessions of a user that have neither expired nor been idle for too long. */
const isAlive = (userId: string) =>
  and(
    eq(sessions.userId, userId),
    gt(sessions.createdAt, new Date(Date.now() - SESSION_SECONDS * 1_000)),
    gt(sessions.lastSeenAt, new Date(Date.now() - env().SESSION_IDLE_HOURS * 3_600_000)),
  );

/** Minutes since the user of a session signed in; infinite for a session that has ended. */
export async function minutesSinceSignIn(db: Db, userId: string, sessionId = ""): Promise<number> {
  if (!isUuid(sessionId)) return Number.POSITIVE_INFINITY;
  const own = and(isAlive(userId), eq(sessions.id, sessionId));
  const [row] = await db.orm.select({ since: sessions.createdAt }).from(sessions).where(own);
  return row ? (Date.now() - row.since.getTime()) / 60_000 : Number.POSITIVE_INFINITY;
}

/** The visitor of the demo; undefined while the operator has it switched off, or before it is built. */
export async function findDemoVisitor(db: Db): Promise<SignedInUser | undefined> {
  if (env().PUBLIC_DEMO === "off") return undefined;
  const joined = await listMemberships(db, DEMO_USER_ID);
  if (joined.length === 0) return undefined;
  return { id: DEMO_USER_ID, name: "Visitor", email: "", workspaces: joined, demo: true };
}

/** The user of a browser's session; undefined when the session has ended. Notes that the session is used. */
export async function resumeSession(db: Db, session: Session): Promise<SignedInUser | undefined> {
  const { id, sessionId } = session;
  if (id === DEMO_USER_ID) return findDemoVisitor(db);
  if (!isUuid(id) || !isUuid(sessionId)) return undefined;
  const [row] = await db.orm
    .select({ lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(and(isAlive(id), eq(sessions.id, sessionId)));
  if (!row) return undefined;
  const noted = new Date(Date.now() - NOTE_USE_MS);
  if (row.lastSeenAt < noted) {
    await db.orm
      .update(sessions)
      .set({ lastSeenAt: new Date() })
      .where(and(eq(sessions.id, sessionId), lt(sessions.lastSeenAt, noted)));
  }
  return findSignedInUser(db, session);
}

/** The sessions in which a user is signed in, the one used last first. */
export async function listSessions(db: Db, userId: string): Promise<SessionLine[]> {
  const { id, createdAt, lastSeenAt, address, userAgent } = sessions;
  return db.orm
    .select({ id, createdAt, lastSeenAt, address, userAgent })
    .from(sessions)
    .where(isAlive(userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/** The session to end, and the network address of the request to end it. */
interface SessionEnd {
  userId: string;
  sessionId: string;
  address: string;
  /** `session.signed_out` for the browser's own. */
  action?: "session.ended" | "session.signed_out";
}

/** Ends one session of a user. Throws NOT_FOUND for a session that has ended or belongs to another user. */
export async function endSession(db: Db, { userId, sessionId, address, action }: SessionEnd): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.orm
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
    if (!ended.rowCount) fail("NOT_FOUND", "This session has already ended");
    await recordAccountEvent(tx, { userId, action: action ?? "session.ended", address });
  });
}

/** Deletes the sessions of a user. */
export async function deleteSessions(db: Db, userId: string): Promise<void> {
  await db.orm.delete(sessions).where(eq(sessions.userId, userId));
}

/** The user of an account at one version; undefined when the account was deleted or all its sessions were ended. */
export async function findSignedInUser(db: Db, session: SessionClaims): Promise<SignedInUser | undefined> {
  if (!isUuid(session.id)) return undefined;
  const [user] = await db.orm.select().from(users).where(eq(users.id, session.id));
  if (user?.sessionVersion !== session.sessionVersion) return undefined;
  const { id, name, email } = user;
  return { id, name, email, workspaces: await listMemberships(db, id) };
}

/** The workspaces that a user is a member of. */
function listMemberships(db: Db, userId: string): Promise<Membership[]> {
  const { id, name, plan } = workspaces;
  return db.orm
    .select({ id, name, plan, role: memberships.role })
    .from(memberships)
    .innerJoin(workspaces, eq(id, memberships.workspaceId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(id));
}

/**
 * Ends every session of a user and returns the claims of one that continues the browser's own, with the same start,
 * because nothing was proved again.
 */
export function endSessions(
  db: Db,
  { userId, sessionId, address }: Omit<SessionEnd, "action">,
): Promise<SessionClaims> {
  return db.transaction(async (tx) => {
    const own = and(eq(sessions.id, sessionId), eq(sessions.userId, userId));
    const [current] = await tx.orm.delete(sessions).where(own).returning({ since: sessions.createdAt });
    if (!current) return fail("UNAUTHORIZED", "Your session has ended");
    const [ended] = await tx.orm
      .update(users)
      .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(eq(users.id, userId))
      .returning({ id: users.id, sessionVersion: users.sessionVersion });
    if (!ended) return fail("UNAUTHORIZED", "This account was deleted");
    await deleteSessions(tx, userId);
    await recordAccountEvent(tx, { userId, action: "session.all_ended", address });
    return { ...ended, ...current };
  });
}
