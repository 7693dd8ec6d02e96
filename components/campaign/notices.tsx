import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { CampaignView, PlatformReadiness, PoolReadiness, Readiness } from "@/lib/contract/campaign-view";
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
  /** The address of the app. */
  base: string;
  campaignId: string;
}

interface Gap {
  text: string;
  href: string;
  link: string;
}

/** The gaps of one platform, each with the page that closes it. */
function gapsOf({ platform, storeId, referee, reward }: PlatformReadiness, { base, campaignId }: Props) {
  const name = PLATFORM_NAME[platform];
  const id = platform === "ios" ? "Apple app ID" : "Android package";
  const codesFor = (use: "referee" | "reward", pool: PoolReadiness | null) =>
    pool
      ? { href: `${base}/codes/import?pool=${pool.id}&from=${campaignId}`, link: "Import codes" }
      : { href: `${base}/campaigns/${campaignId}/edit`, link: `Choose a ${use} pool` };
  const gaps: Gap[] = [];
  if (!storeId) {
    const text = `${name} needs the app's ${id} before the campaign can be activated.`;
    gaps.push({ text, href: `${base}/settings`, link: "Open settings" });
  }
  if (!referee?.free) {
    const text = `${name} has no free codes for referees, so no referee gets one.`;
    gaps.push({ text, ...codesFor("referee", referee) });
  }
  if (!reward?.free) {
    const text = `${name} has no free codes for rewards, so none can be claimed.`;
    gaps.push({ text, ...codesFor("reward", reward) });
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
