import {
  Activity,
  Bell,
  Building2,
  Gauge,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Megaphone,
  PanelsTopLeft,
  Plug,
  ScrollText,
  Settings,
  Stethoscope,
  Ticket,
  UserRound,
  UsersRound,
  Webhook,
} from "lucide-react";

interface AppPage {
  /** The path below that of the app; empty for the overview. */
  path: string;
  name: string;
  icon: LucideIcon;
}

interface PageGroup {
  name: string;
  pages: readonly AppPage[];
}

/** The pages of an app, for the side bar and the command palette. */
export const APP_PAGES: readonly PageGroup[] = [
  {
    name: "App",
    pages: [
      { path: "", name: "Overview", icon: Gauge },
      { path: "/start", name: "Getting started", icon: ListChecks },
    ],
  },
  {
    name: "Program",
    pages: [
      { path: "/campaigns", name: "Campaigns", icon: Megaphone },
      { path: "/landing", name: "Landing page", icon: PanelsTopLeft },
      { path: "/codes", name: "Codes", icon: Ticket },
      { path: "/referrers", name: "Referrers", icon: UserRound },
      { path: "/referrals", name: "Referrals", icon: UsersRound },
    ],
  },
  {
    name: "Developers",
    pages: [
      { path: "/check", name: "Integration check", icon: Stethoscope },
      { path: "/keys", name: "API keys", icon: KeyRound },
      { path: "/requests", name: "Requests", icon: Activity },
      { path: "/providers", name: "Providers", icon: Plug },
      { path: "/webhooks", name: "Webhooks", icon: Webhook },
    ],
  },
  {
    name: "Setup",
    pages: [
      { path: "/alerts", name: "Alerts", icon: Bell },
      { path: "/settings", name: "Settings", icon: Settings },
    ],
  },
];

/** The pages of a workspace, for its side bar, those of its apps and the command palette. */
export const WORKSPACE_PAGES: readonly (AppPage & { keywords: string; adminOnly?: boolean })[] = [
  { path: "", name: "Team", icon: UsersRound, keywords: "members users colleagues roles invitations" },
  { path: "/plan", name: "Plan and usage", icon: Gauge, keywords: "quota requests billing pricing upgrade" },
  {
    path: "/audit",
    name: "Audit log",
    icon: ScrollText,
    keywords: "history changes who",
    adminOnly: true,
  },
  { path: "/settings", name: "Workspace settings", icon: Building2, keywords: "rename leave delete owner" },
];

/** The path of an app in the dashboard. */
export const appPath = (appId: string): string => `/dashboard/apps/${appId}`;

/** The path of a workspace; its pages are below it. */
export const workspacePath = (workspaceId: string): string => `/dashboard/workspaces/${workspaceId}`;

/** The id of the app in a path. */
export function appOfPath(path: string): string | undefined {
  return /^\/dashboard\/apps\/([^/]+)/.exec(path)?.[1];
}

/** The id of the workspace in a path. */
export function workspaceOfPath(path: string): string | undefined {
  return /^\/dashboard\/workspaces\/([0-9a-f-]{36})/.exec(path)?.[1];
}
