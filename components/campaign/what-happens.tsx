import type { CampaignView, Outlook, Readiness } from "@/lib/contract/campaign-view";

interface Words {
  campaign: CampaignView;
  outlook: Outlook;
  readiness: Readiness;
}

const number = (value: number) => value.toLocaleString("en");

/** Nobody is no line. */
function people({ campaign, outlook: { people, more } }: Words, rest: string): string[] {
  if (people === 0 && !more) return [];
  const count = `${more ? "At least " : ""}${number(people)}`;
  const [one, many] =
    campaign.type === "influencer"
      ? ["active influencer", "active influencers"]
      : ["referrer with open progress", "referrers with open progress"];
  return [`${count} ${people === 1 ? one : many} ${rest}`];
}

function open({ outlook: { openCodes, unclaimed } }: Words): string[] {
  const codes = `${number(openCodes)} ${openCodes === 1 ? "code is" : "codes are"} assigned and not confirmed`;
  const rewards = `${number(unclaimed)} ${unclaimed === 1 ? "reward is" : "rewards are"} earned and not claimed`;
  return [
    ...(openCodes > 0 ? [`${codes}: they still can be, and still count towards rewards.`] : []),
    ...(unclaimed > 0 ? [`${rewards}: they stay claimable.`] : []),
  ];
}

const REFUSED = "From now on POST /referee-redeem answers 409 CAMPAIGN_INACTIVE.";

/** What a pause does. */
export function pauseWords(words: Words): string[] {
  return [
    REFUSED,
    "Its landing pages say that the invitation is paused, and POST /referrer answers with the status paused.",
    ...people(words, "can go on once it is resumed."),
    ...open(words),
  ];
}

/** What the end does. */
export function endWords(words: Words): string[] {
  return [
    "This cannot be undone: an ended campaign never becomes active again. It can be duplicated.",
    REFUSED,
    ...people(words, "can bring no new referees."),
    ...open(words),
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
