import type { CampaignView, Outlook, Readiness } from "@/lib/contract/campaign-view";

interface Words {
  campaign: CampaignView;
  outlook: Outlook;
  readiness: Readiness;
}

const number = (value: number) => value.toLocaleString("en");

function peopleOf({ campaign, outlook: { people, more } }: Words): string {
  const count = `${more ? "At least " : ""}${number(people)}`;
  if (campaign.type === "influencer") return `${count} active ${people === 1 ? "influencer" : "influencers"}`;
  return `${count} ${people === 1 ? "referrer" : "referrers"} with open progress`;
}

function openOf({ outlook: { openCodes, unclaimed } }: Words): string[] {
  return [
    `${number(openCodes)} ${openCodes === 1 ? "code is" : "codes are"} assigned and not confirmed: they still can be, and still count towards rewards.`,
    `${number(unclaimed)} ${unclaimed === 1 ? "reward is" : "rewards are"} earned and not claimed: they stay claimable.`,
  ];
}

const REFUSED = "From now on POST /referee-redeem answers 409 CAMPAIGN_INACTIVE.";

/** What a pause does. */
export function pauseWords(words: Words): string[] {
  return [
    REFUSED,
    "Its landing pages say that the invitation is paused, and POST /referrer that the status is paused.",
    `${peopleOf(words)} keep it and go on when it is resumed.`,
    ...openOf(words),
  ];
}

/** What the end does. */
export function endWords(words: Words): string[] {
  return [
    "This cannot be undone: an ended campaign never becomes active again. You can duplicate it.",
    REFUSED,
    `${peopleOf(words)} ${words.campaign.type === "influencer" ? "can invite nobody any more." : "can get no further with new referees."}`,
    ...openOf(words),
  ];
}

/** What activating or resuming does. */
export function startWords({ campaign, readiness }: Words): string[] {
  const waits = campaign.startsAt !== null && campaign.startsAt > new Date();
  return [
    waits
      ? "It is active, but gives codes only from its start on; until then redeem answers 409 CAMPAIGN_INACTIVE."
      : "From now on POST /referee-redeem gives its codes.",
    ...(campaign.type === "referral"
      ? [
          "It is the campaign of every user of the app; the progress shown by POST /referrer is the one in it.",
        ]
      : ["It runs beside all other campaigns, for its influencers only."]),
    ...(readiness.active
      ? [`“${readiness.active.name}” is paused with it: only one referral campaign can be active.`]
      : []),
  ];
}
