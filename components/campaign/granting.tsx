import { Callout } from "@/components/ui/callout";
import { type CampaignView, PLATFORM_NAME } from "@/lib/contract/campaign-view";

/** That rewards which a change made due are still being granted. */
export function Granting({ campaign }: { campaign: CampaignView }) {
  const running = campaign.platforms.filter(({ grantAfter }) => grantAfter !== null);
  return running.map(({ platform, granted }) => (
    <Callout key={platform}>
      {PLATFORM_NAME[platform]}: rewards that the last change made due are being granted,{" "}
      {granted.toLocaleString("en")} so far. You can leave this page.
    </Callout>
  ));
}
