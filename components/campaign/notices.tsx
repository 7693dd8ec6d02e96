import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { CampaignView, PlatformReadiness, PoolReadiness, Readiness } from "@/lib/contract/campaign-view";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { nextStep, type Reader } from "@/lib/contract/integration-check";

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
  reader: Reader;
  campaign: Pick<CampaignView, "id" | "rewardsOn">;
}

interface Gap {
  text: string;
  path: string;
  action: string;
  needs: "member" | "admin";
}

/** The effect of a platform without free reward codes; the referrer's own platform may decide on the pool. */
function unclaimed({ platform, reward }: PlatformReadiness, { readiness, campaign }: Props): string {
  const other = readiness.platforms.find((rules) => rules.platform !== platform && rules.reward);
  if (campaign.rewardsOn === "friend" || !(reward || other)) return "none can be claimed";
  if (reward || !other) return `referrers on ${PLATFORM_NAME[platform]} cannot claim any`;
  return `only referrers on ${PLATFORM_NAME[other.platform]} can claim those earned there`;
}

/** The gaps of one platform, each with the page that closes it and the role that is needed there. */
function gapsOf(rules: PlatformReadiness, props: Props): Gap[] {
  const { platform, storeId, referee, reward } = rules;
  const name = PLATFORM_NAME[platform];
  const id = platform === "ios" ? "Apple app ID" : "Android package";
  const codesFor = (use: "referee" | "reward", pool: PoolReadiness | null) => ({
    ...(pool
      ? { path: `/codes/import?pool=${pool.id}&from=${props.campaign.id}`, action: "Import codes" }
      : { path: `/campaigns/${props.campaign.id}/edit`, action: `Choose a ${use} pool` }),
    needs: "member" as const,
  });
  const gaps: Gap[] = [];
  if (!storeId) {
    const text = `${name} needs the app’s ${id} before the campaign can be activated.`;
    gaps.push({ text, path: "/settings", action: "Enter it in the settings", needs: "admin" });
  }
  if (!referee?.free) {
    const text = `${name} has no free codes for referees, so no referee gets one.`;
    gaps.push({ text, ...codesFor("referee", referee) });
  }
  if (!reward?.free) {
    const text = `${name} has no free codes for rewards, so ${unclaimed(rules, props)}.`;
    gaps.push({ text, ...codesFor("reward", reward) });
  }
  return gaps;
}

/** The gaps that keep a campaign from assigning codes, each with the next step. */
export function MissingNotice(props: Props) {
  const gaps = props.readiness.platforms.flatMap((rules) => gapsOf(rules, props));
  if (gaps.length === 0) return null;
  return (
    <Callout tone="warn">
      <ul className="grid gap-1">
        {gaps.map(({ text, ...step }) => {
          const { href, label } = nextStep(step, props.reader);
          return (
            <li key={text}>
              {text}{" "}
              <Link href={href} className="font-medium underline underline-offset-2">
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </Callout>
  );
}
