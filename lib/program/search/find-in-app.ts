import type { AppMatch } from "@/lib/contract/referrer-list";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { findEndUsers } from "@/lib/program/referrers/find";
import type { Context } from "@/lib/tenants/context";

/** Matches of each kind, so that no kind crowds out the others. */
const EACH = 5;

/** The end users, campaigns and providers of an app that match a text, for a field that searches while the user types. */
export async function findInApp(ctx: Context, text: string): Promise<AppMatch[]> {
  const [endUsers, campaigns, providers] = await Promise.all([
    findEndUsers(ctx, text),
    findCampaigns(ctx, text),
    findProviders(ctx, text),
  ]);
  return [...campaigns, ...providers, ...endUsers];
}

/** Whether every word of the text begins a word of the name. */
function matches(name: string, text: string): boolean {
  const parts = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const typed = text.trim().toLowerCase().split(/\s+/);
  return typed.every((begin) => parts.some((part) => part.startsWith(begin)));
}

async function findCampaigns(ctx: Context, text: string): Promise<AppMatch[]> {
  const named = (await listCampaigns(ctx)).filter(({ name }) => matches(name, text));
  return named.slice(0, EACH).map(({ id, name, status }) => ({
    kind: "campaign",
    section: "campaigns",
    id,
    title: name,
    note: status,
  }));
}

/** Connections by their own or their provider's name, and the providers without a connection. */
async function findProviders(ctx: Context, text: string): Promise<AppMatch[]> {
  const connections = await listConnections(ctx);
  const connected = connections.map((connection) => {
    const { id, label: title } = toConnectionView(connection);
    const { label } = PROVIDERS[connection.provider];
    return { id, title, note: title === label ? "Connected" : label };
  });
  const others = Object.entries(PROVIDERS)
    .filter(([name]) => connections.every(({ provider }) => provider !== name))
    .map(([, { label }]) => ({ id: "", title: label, note: "Not connected" }));
  return [...connected, ...others]
    .filter(({ title, note }) => matches(`${title} ${note}`, text))
    .slice(0, EACH)
    .map((match) => ({ kind: "provider", section: "providers", ...match }));
}
