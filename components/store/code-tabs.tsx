import { Tabs } from "@/components/ui/tabs";

/** The rooms of codes: the stock, and where each store's codes come from. */
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
