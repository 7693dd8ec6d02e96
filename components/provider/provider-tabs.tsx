import { Tabs } from "@/components/ui/tabs";

/** The tabs of the Providers page: the connections, and the events without a referral. */
export function ProviderTabs({ path }: { path: string }) {
  return (
    <Tabs
      label="Providers"
      tabs={[
        { href: path, name: "Connections" },
        { href: `${path}/unmatched`, name: "Unmatched" },
      ]}
    />
  );
}
