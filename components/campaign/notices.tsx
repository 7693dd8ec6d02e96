import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { CampaignView, PlatformReadiness, PoolReadiness, Readiness } from "@/lib/contract/campaign-view";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { nextStep, type Reader } from "@/lib/contract/integration-check";
import type { Role } from "@/lib/contract/workspace";

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
  campaignId: string;
  reader: Reader;
}

interface Gap {
  text: string;
  step: ReturnType<typeof nextStep>;
}

/** The gaps of one platform, each with the page that closes it, or the colleagues who may. */
function gapsOf({ platform, storeId, referee, reward }: PlatformReadiness, { campaignId, reader }: Props) {
  const name = PLATFORM_NAME[platform];
  const id = platform === "ios" ? "Apple app ID" : "Android package";
  const codesFor = (use: "referee" | "reward", pool: PoolReadiness | null) =>
    nextStep(
      pool
        ? step("member", `/codes/import?pool=${pool.id}&from=${campaignId}`, "Import codes")
        : step("member", `/campaigns/${campaignId}/edit`, `Choose a ${use} pool`),
      reader,
    );
  const gaps: Gap[] = [];
  if (!storeId) {
    const text = `${name} needs the app's ${id} before the campaign can be activated.`;
    gaps.push({ text, step: nextStep(step("admin", "/settings", "Open settings"), reader) });
  }
  if (!referee?.free) {
    const text = `${name} has no free codes for referees, so no referee gets one.`;
    gaps.push({ text, step: codesFor("referee", referee) });
  }
  if (!reward?.free) {
    const text = `${name} has no free codes for rewards, so none can be claimed.`;
    gaps.push({ text, step: codesFor("reward", reward) });
  }
  return gaps;
}

const step = (needs: Role, path: string, action: string) => ({ needs, path, action });

/** The gaps that keep a campaign from assigning codes, each with the next step. */
export function MissingNotice(props: Props) {
  const gaps = props.readiness.platforms.flatMap((platform) => gapsOf(platform, props));
  if (gaps.length === 0) return null;
  return (
    <Callout tone="warn">
      <ul className="grid gap-1">
        {gaps.map(({ text, step: { href, label } }) => (
          <li key={text}>
            {text}{" "}
            <Link href={href} className="font-medium underline underline-offset-2">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Callout>
  );
}
