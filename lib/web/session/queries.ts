import { notFound } from "next/navigation";
import type { AccountEventLine } from "@/lib/contract/account-events";
import type { SessionLine } from "@/lib/contract/session";
import { mayAct } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { listRecentEmails, type ShownEmail } from "@/lib/platform/email/mailbox";
import { AppError } from "@/lib/platform/errors";
import { recentConfirmed } from "@/lib/program/stats/trend";
import { type Account, getAccount } from "@/lib/tenants/account-settings/get-account";
import { listAccountEvents } from "@/lib/tenants/accounts/events";
import type { Membership, SignedInUser } from "@/lib/tenants/accounts/session";
import { DEMO_USER_ID, listSessions } from "@/lib/tenants/accounts/session";
import type { App } from "@/lib/tenants/apps/app";
import { type DeletedApp, listDeletedApps } from "@/lib/tenants/apps/delete";
import { getUserApp } from "@/lib/tenants/apps/get";
import { type AppSummary, listAppNames, listAppSummaries } from "@/lib/tenants/apps/list";
import { currentSession, currentUser, findAccountUser } from "@/lib/web/session/current-user";
import { listOAuthProviders } from "@/lib/web/session/oauth-providers";

interface WorkspaceApps {
  workspace: Membership;
  /** `recent`: confirmed referrals on each of the last days. */
  apps: (AppSummary & { recent: number[] })[];
  /** For owners only, who can restore them. */
  deleted: DeletedApp[];
}

/** The workspaces of the signed-in user with their apps. */
export async function listOwnApps(): Promise<{ user: SignedInUser; groups: WorkspaceApps[] }> {
  const user = await currentUser();
  const ids = user.workspaces.map(({ id }) => id);
  const summaries = await listAppSummaries(database(), ids);
  const recentOf = await recentConfirmed(
    database(),
    summaries.map(({ app }) => app.id),
    "app",
  );
  const owned = user.workspaces.filter(({ role }) => role === "owner").map(({ id }) => id);
  const deleted = await listDeletedApps(database(), owned);
  const groups = user.workspaces.map((workspace) => ({
    workspace,
    apps: summaries
      .filter(({ app }) => app.workspaceId === workspace.id)
      .map((summary) => ({ ...summary, recent: recentOf(summary.app.id) })),
    deleted: deleted.filter(({ workspaceId }) => workspaceId === workspace.id),
  }));
  return { user, groups };
}

/** Names of the user's workspaces and their apps, for the switcher and the command menu. */
export async function listDestinations(user: SignedInUser) {
  const ids = user.workspaces.map(({ id }) => id);
  return {
    workspaces: user.workspaces.map(({ id, name, role }) => ({ id, name, role })),
    apps: await listAppNames(database(), ids),
    demo: user.demo,
  };
}

/** A reader of the documentation: without an id a visitor. */
interface Reader {
  id?: string | undefined;
  /** Sandbox apps for which the reader may create a key; undefined while the database is away. */
  apps?: { id: string; name: string }[];
}

/** The reader of a page that works while the database is away; the account then comes from the session's cookie. */
export async function findReader(): Promise<Reader> {
  const user = await findAccountUser().catch(() => null);
  if (user === null) {
    const id = (await currentSession())?.id;
    return id === DEMO_USER_ID ? {} : { id };
  }
  if (!user) return { apps: [] };
  const { workspaces, apps } = await listDestinations(user);
  const managed = new Set(workspaces.filter(({ role }) => mayAct(role, "admin")).map(({ id }) => id));
  const own = apps.filter(({ sandbox, workspaceId }) => sandbox && managed.has(workspaceId));
  return { id: user.id, apps: own.map(({ id, name }) => ({ id, name })) };
}

/** Another app of the signed-in user, such as the twin of the app on the page. */
export async function findUserApp(appId: string): Promise<App | undefined> {
  const user = await currentUser();
  const found = await getUserApp(database(), user.id, appId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  return found?.app;
}

interface ConnectableService {
  id: string;
  name: string;
  since: Date | null;
}

/** The signed-in user's account, and the services that it is or can be connected with; a missing page in the demo. */
export async function getOwnAccount(): Promise<{ account: Account; services: ConnectableService[] }> {
  const { id, demo } = await currentUser();
  if (demo) notFound();
  const account = await getAccount(database(), id);
  const services = listOAuthProviders().map((service) => ({
    ...service,
    since: account.connected.find(({ provider }) => provider === service.id)?.since ?? null,
  }));
  return { account, services };
}

/** The signed-in user's sessions; `current` is the one of this browser, which comes first. */
export async function listOwnSessions(): Promise<{ session: SessionLine; current: boolean }[]> {
  const { id } = await currentUser();
  const own = await currentSession();
  const all = await listSessions(database(), id);
  return all
    .map((session) => ({ session, current: session.id === own?.sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/** The newest entries of the signed-in user's security log. */
export async function listOwnEvents(): Promise<AccountEventLine[]> {
  const { id } = await currentUser();
  return listAccountEvents(database(), id);
}

/** The emails of the mailbox page. */
export function listMailbox(): Promise<ShownEmail[]> {
  return listRecentEmails(database());
}
