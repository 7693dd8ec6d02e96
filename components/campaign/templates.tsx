import type { CampaignView } from "@/lib/contract/campaign-view";

export interface CampaignTemplate {
  value: string;
  /** Also the name of the campaign. */
  title: string;
  hint: string;
  type: CampaignView["type"];
  threshold: string;
  confirmOn: CampaignView["confirmOn"];
}

/** Common programs, as a starting point. */
export const TEMPLATES: readonly [CampaignTemplate, ...CampaignTemplate[]] = [
  {
    value: "three",
    title: "Bring three friends",
    hint: "A reward for a few friends.",
    type: "referral",
    threshold: "3",
    confirmOn: "start",
  },
  {
    value: "each",
    title: "Give one, get one",
    hint: "Every friend earns a reward.",
    type: "referral",
    threshold: "1",
    confirmOn: "start",
  },
  {
    value: "paying",
    title: "Paying friends",
    hint: "Trials do not count.",
    type: "referral",
    threshold: "1",
    confirmOn: "paid",
  },
  {
    value: "influencer",
    title: "Influencers",
    hint: "People you choose, rewarded by hand.",
    type: "influencer",
    threshold: "1",
    confirmOn: "start",
  },
];

interface Props {
  value: string;
  onChoose: (template: CampaignTemplate) => void;
}

/** The templates of a new campaign as radio buttons. Each fills in the sentence, which can be edited. */
export function Templates({ value, onChoose }: Props) {
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="sr-only">Template</legend>
      {TEMPLATES.map((template) => (
        <label
          key={template.value}
          className="grid cursor-pointer content-start gap-0.5 rounded-lg border border-line px-3 py-2.5 text-sm hover:bg-subtle/60 has-checked:border-ink has-checked:bg-subtle/60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="template"
            value={template.value}
            checked={template.value === value}
            onChange={() => onChoose(template)}
            className="sr-only"
          />
          <span className="font-medium">{template.title}</span>
          <span className="text-note text-muted">{template.hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
