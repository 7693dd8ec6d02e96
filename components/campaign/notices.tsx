import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { CampaignView, PlatformReadiness, Readiness } from "@/lib/contract/campaign-view";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";

/** The notice that rewards of a rule change are still being granted. */
export function GrantingNotice({ campaign }: { campaign: CampaignView }) {
  const running = campaign.platforms.filter(({ grantAfter }) => grantAfter !== null);
  return running.map(({ platform, granted }) => (
    <Callout key={platform}>
      {PLATFORM_NAME[platform]}: granting the rewards of your last change, {formatNumber(granted)} so far. You
      can leave this page.
    </Callout>
  ));
}

interface Props {
  readiness: Readiness;
  codes: string;
  settings: string;
}

interface Gap {
  text: string;
  href: string;
  link: string;
}

/** The gaps of one platform, each with the page that closes it. */
function gapsOf({ platform, storeId, referee, reward }: PlatformReadiness, { codes, settings }: Props) {
  const name = PLATFORM_NAME[platform];
  const id = platform === "ios" ? "Apple app ID" : "Android package";
  const importCodes = { href: `${codes}/import`, link: "Import codes" };
  const gaps: Gap[] = [];
  if (!storeId) {
    const text = `${name} needs the app's ${id} before the campaign can be activated.`;
    gaps.push({ text, href: settings, link: "Open settings" });
  }
  if (!referee?.free) {
    gaps.push({ text: `${name} has no free codes for referees, so no referee gets one.`, ...importCodes });
  }
  if (!reward?.free) {
    gaps.push({ text: `${name} has no free codes for rewards, so none can be claimed.`, ...importCodes });
  }
  return gaps;
}

/** The gaps that keep a campaign from assigning codes, each with the next step. */
export function MissingNotice(props: Props) {
  const gaps = props.readiness.platforms.flatMap((platform) => gapsOf(platform, props));
  if (gaps.length === 0) return null;
  return (
    <Callout tone="warn">
      <ul className="grid gap-1">
        {gaps.map(({ text, href, link }) => (
          <li key={text}>
            {text}{" "}
            <Link href={href} className="font-medium underline underline-offset-2">
              {link}
            </Link>
          </li>
        ))}
      </ul>
    </Callout>
  );
}
