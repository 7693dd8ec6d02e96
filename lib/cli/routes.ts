import * as appleAssociation from "@/app/.well-known/apple-app-site-association/route";
import * as androidAssociation from "@/app/.well-known/assetlinks.json/route";
import * as knownDomain from "@/app/.well-known/metacode-domain/route";
import * as docsSearch from "@/app/(site)/docs/search.json/route";
import * as unknownPath from "@/app/api/[...unknown]/route";
import * as health from "@/app/api/health/route";
import * as live from "@/app/api/live/route";
import * as metrics from "@/app/api/metrics/route";
import * as provider from "@/app/api/providers/[provider]/[connectionId]/route";
import * as ready from "@/app/api/ready/route";
import * as refereeRedeem from "@/app/api/referee-redeem/route";
import * as referrer from "@/app/api/referrer/route";
import * as referrerClaim from "@/app/api/referrer-claim/route";
import * as deliveries from "@/app/api/webhooks/[id]/deliveries/route";
import * as webhook from "@/app/api/webhooks/[id]/route";
import * as webhooks from "@/app/api/webhooks/route";
import * as icon from "@/app/icons/[appId]/[hash]/route";
import * as llms from "@/app/llms.txt/route";
import * as llmsFull from "@/app/llms-full.txt/route";
import * as openapi from "@/app/openapi.json/route";
import * as postman from "@/app/postman.json/route";
import * as click from "@/app/r/[slug]/click/route";
import * as shareImage from "@/app/r/[slug]/image/[file]/route";
import * as landing from "@/app/r/[slug]/route";
import * as unsubscribe from "@/app/unsubscribe/[appId]/[token]/route";
import * as docsMarkdown from "@/lib/web/docs/markdown-route";
import { createRouteTable, type RouteMatch } from "@/lib/web/server/table";

/** Routes that take tens of milliseconds of an event loop. */
const HEAVY = [{ path: "/r/[slug]/image/[file]", module: shareImage }];

/** In production the web processes forward these to the pages process. */
export const heavy = createRouteTable(HEAVY);

const PROBES = [
  { path: "/api/health", module: health },
  { path: "/api/live", module: live },
  { path: "/api/metrics", module: metrics },
  { path: "/api/ready", module: ready },
];

/** The only routes that a process with `ROLE=worker` answers. */
export const probes = createRouteTable(PROBES);

/** The App Router modules that the server mounts in front of Next: one line per route. */
export const table = createRouteTable([
  { path: "/api/referrer", module: referrer },
  { path: "/api/referrer-claim", module: referrerClaim },
  { path: "/api/referee-redeem", module: refereeRedeem },
  ...PROBES,
  { path: "/api/providers/[provider]/[connectionId]", module: provider },
  { path: "/api/webhooks", module: webhooks },
  { path: "/api/webhooks/[id]", module: webhook },
  { path: "/api/webhooks/[id]/deliveries", module: deliveries },
  { path: "/openapi.json", module: openapi },
  { path: "/postman.json", module: postman },
  { path: "/docs/search.json", module: docsSearch },
  { path: "/docs/[...page].md", module: docsMarkdown },
  { path: "/llms.txt", module: llms },
  { path: "/llms-full.txt", module: llmsFull },
  { path: "/r/[slug]", module: landing },
  ...HEAVY,
  { path: "/icons/[appId]/[hash]", module: icon },
  { path: "/.well-known/apple-app-site-association", module: appleAssociation },
  { path: "/.well-known/metacode-domain", module: knownDomain },
  { path: "/.well-known/assetlinks.json", module: androidAssociation },
  { path: "/r/[slug]/click", module: click },
  { path: "/unsubscribe/[appId]/[token]", module: unsubscribe },
]);

/** Answers below /api when no line above matches. */
export const unknown: RouteMatch = { module: unknownPath, params: Promise.resolve({}) };
