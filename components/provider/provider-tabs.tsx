import { Tabs } from "@/components/ui/tabs";

/** The two rooms of confirmations: who sends them, and those that fit nobody. */
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
