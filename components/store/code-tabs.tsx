import { Tabs } from "@/components/ui/tabs";

/** Links between the pools and the two stores. */
export function CodeTabs({ appId }: { appId: string }) {
  const base = `/dashboard/apps/${appId}/codes`;
  return (
    <Tabs
      label="Codes"
      tabs={[
        { href: base, name: "Pools" },
        { href: `${base}/app-store`, name: "App Store Connect" },
        { href: `${base}/google-play`, name: "Google Play" },
      ]}
    />
  );
}
