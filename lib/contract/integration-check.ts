import { type ProblemView, problemHref, type Severity } from "./problems";
import { mayAct, type Role } from "./workspace";

/** The subjects of the integration check with the question that each answers, in the order of the page. */
export const CHECK_TOPICS = {
  keys: { title: "API keys", hint: "Which keys call which endpoints, and what was refused." },
  loop: {
    title: "From code to purchase",
    hint: "The redemptions of the last 30 days, at most 10,000 of them.",
  },
  providers: { title: "Providers", hint: "Whether events arrive, in each provider’s usual rhythm." },
  webhooks: { title: "Webhooks", hint: "How fast the last 100 deliveries of each endpoint were accepted." },
  codes: { title: "Codes", hint: "Free codes of each store and offer, and their dates." },
  campaigns: { title: "Campaigns", hint: "Which campaigns run, and until when." },
  links: { title: "Links into the app", hint: "The association files as the stores fetch them." },
} as const;

export type CheckTopic = keyof typeof CHECK_TOPICS;

/** `idle`: nothing has happened yet, or it is optional and not set up. */
export type CheckState = "good" | "idle" | Severity;

/** One thing that was checked, good or not, with the evidence. */
export interface CheckView {
  topic: CheckTopic;
  /** The row concerned; unique within the topic. */
  subject: string;
  state: CheckState;
  title: string;
  evidence: string[];
  /** The problems of the app that concern it, the most urgent first. */
  problems: ProblemView[];
  /** The page that changes it, below the app's own path, or from `/dashboard/` on. */
  path: string;
  action: string;
  /** The lowest role that may take the action; absent where it only opens a page. */
  needs?: Role;
}

export interface Reader {
  appId: string;
  workspaceId: string;
  role: Role;
}

type Step = Pick<CheckView, "path" | "action" | "needs">;

/** The link below a problem or a check: for readers who may not take the action, to the colleagues who may. */
export function nextStep({ path, action, needs = "viewer" }: Step, { appId, workspaceId, role }: Reader) {
  if (mayAct(role, needs)) return { may: true, href: problemHref(appId, path), label: action };
  const colleague = `${/^[aeiou]/.test(needs) ? "an" : "a"} ${needs}`;
  const request = action.charAt(0).toLowerCase() + action.slice(1);
  return {
    may: false,
    href: `/dashboard/workspaces/${workspaceId}`,
    label: `Ask ${colleague} to ${request}`,
  };
}
