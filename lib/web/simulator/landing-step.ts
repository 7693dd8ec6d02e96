import { formatNumber } from "@/lib/contract/format";
import { REFERRER_GONE, StepFailure, sendTo } from "@/lib/web/simulator/exchange";
import type { Journey } from "@/lib/web/simulator/journey";
import type { StepResult } from "@/lib/web/simulator/steps";

/** A browser of the platform, because robots get no click. */
const BROWSERS = {
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  android:
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
};

/** Opens the landing page of the metacode and reports the visit, as the page's script does. */
export async function visitLandingPage(journey: Journey): Promise<StepResult> {
  const { handlers, metacode, platform } = journey;
  const params = { slug: metacode };
  const headers = { "user-agent": BROWSERS[platform], "accept-language": "en" };
  const titleOf = (html: string) => /<title>([^<]*)/.exec(html)?.[1] ?? "";
  const { status, text } = await sendTo(journey, {
    handler: handlers.landing,
    method: "GET",
    path: `/r/${metacode}`,
    params,
    headers,
    show: (html) => `A page of ${formatNumber(html.length)} characters: “${titleOf(html)}”`,
  });
  if (status === 404) throw new StepFailure(REFERRER_GONE);
  // The script of every page names the attribute; only an open one has it.
  if (status !== 200 || !text.includes("data-click=")) {
    throw new StepFailure({
      why:
        status === 200
          ? "The page says that the invitation is paused."
          : `The landing page answered ${status}, so friends see no invitation.`,
      todo: "Activate or resume a campaign of this sandbox. One whose budget for codes is used up needs a higher one, and one that starts later an earlier start.",
      section: { path: "/campaigns", name: "Campaigns" },
    });
  }
  journey.clickId = /click_id=([0-9a-f-]{36})/.exec(text)?.[1];
  await sendTo(journey, {
    handler: handlers.click,
    method: "POST",
    path: `/r/${metacode}/click`,
    params,
    headers,
  });
  return { note: `The page “${titleOf(text)}” opened, and the click was counted.` };
}
