import { POST as provider } from "@/app/api/providers/[provider]/[connectionId]/route";
import { POST as redeem } from "@/app/api/referee-redeem/route";
import { POST as referrer } from "@/app/api/referrer/route";
import { POST as claim } from "@/app/api/referrer-claim/route";
import { POST as click } from "@/app/r/[slug]/click/route";
import { GET as landing } from "@/app/r/[slug]/route";
import { journeyQuery } from "@/lib/contract/simulator";
import { parseInput } from "@/lib/platform/parse-input";
import { appProgress } from "@/lib/web/session/upload";
import type { JourneyHandlers } from "@/lib/web/simulator/exchange";
import { simulateJourney } from "@/lib/web/simulator/journey";

const handlers = { referrer, redeem, claim, provider, click, landing } as JourneyHandlers;

export const POST = appProgress((ctx, { query, signal }, report) =>
  simulateJourney(ctx, { ...parseInput(journeyQuery, query), handlers, signal, report }),
);
