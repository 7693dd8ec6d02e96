import {
  Activity,
  Bell,
  Gauge,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Megaphone,
  Plug,
  Settings,
  Ticket,
  UserRound,
  UsersRound,
  Webhook,
} from "lucide-react";

interface RoomLink {
  /** Below the app's own path; empty for its overview. */
  path: string;
  name: string;
  icon: LucideIcon;
}

interface RoomGroup {
  name: string;
  rooms: readonly RoomLink[];
}

/** The rooms of an app, for the side bar, the phone's strip and the command palette. */
export const ROOMS: readonly RoomGroup[] = [
  {
    name: "App",
    rooms: [
      { path: "", name: "Overview", icon: Gauge },
      { path: "/start", name: "Getting started", icon: ListChecks },
    ],
  },
  {
    name: "Program",
    rooms: [
      { path: "/campaigns", name: "Campaigns", icon: Megaphone },
      { path: "/codes", name: "Codes", icon: Ticket },
      { path: "/referrers", name: "Referrers", icon: UserRound },
      { path: "/referrals", name: "Referrals", icon: UsersRound },
    ],
  },
  {
    name: "Developers",
    rooms: [
      { path: "/keys", name: "API keys", icon: KeyRound },
      { path: "/requests", name: "Requests", icon: Activity },
      { path: "/providers", name: "Providers", icon: Plug },
      { path: "/webhooks", name: "Webhooks", icon: Webhook },
    ],
  },
  {
    name: "Setup",
    rooms: [
      { path: "/alerts", name: "Alerts", icon: Bell },
      { path: "/settings", name: "Settings", icon: Settings },
    ],
  },
];

/** Where an app is in the dashboard. */
export const appPath = (appId: string): string => `/dashboard/apps/${appId}`;

/** The app that an address is about. */
export function appOfPath(path: string): string | undefined {
  return /^\/dashboard\/apps\/([^/]+)/.exec(path)?.[1];
}

/** The workspace that an address is about. */
export function workspaceOfPath(path: string): string | undefined {
  return /^\/dashboard\/workspaces\/([0-9a-f-]{36})/.exec(path)?.[1];
}
