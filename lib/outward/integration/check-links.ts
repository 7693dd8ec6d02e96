import { eq } from "drizzle-orm";
import type { CheckState, CheckView } from "@/lib/contract/integration-check";
import { checkedFiles, type LinkFile, STORE_SERVICES } from "@/lib/outward/integration/association-files";
import { Cache } from "@/lib/platform/cache";
import { apps } from "@/lib/platform/db/schema";
import { EgressError } from "@/lib/platform/egress/failure";
import { type EgressResponse, sendRequest } from "@/lib/platform/egress/send";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import type { Context } from "@/lib/tenants/context";
import { linkOrigin } from "@/lib/tenants/domains/link";

/** Repeated views of the page fetch the files once in this time. */
const TTL_MS = 30_000;
const SIZE = 1_000;

/** The association files of an app's hosts, as this server and the stores fetch them. Cached: each is a request. */
export function checkLinks(ctx: Context): Promise<CheckView[]> {
  const cache = singleton("integration.links", () => new Cache<CheckView[]>(TTL_MS, SIZE));
  return cache.get(ctx.app.id, () => fetchLinks(ctx));
}

/** {@link checkLinks} without the cache. */
export async function fetchLinks(ctx: Context, stores = STORE_SERVICES): Promise<CheckView[]> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
  if (!app) return fail("NOT_FOUND", "There is no such app");
  const files = checkedFiles(app, stores);
  const domain = app.landingDomainVerifiedAt && app.landingDomain;
  const origins = [...new Set([env().LANDING_URL, linkOrigin(domain)])];
  return Promise.all(origins.flatMap((origin) => files.map((file) => checkFile(new URL(origin), file))));
}

async function checkFile(origin: URL, file: LinkFile): Promise<CheckView> {
  const { kind, name, path, expected, missing } = file;
  const common = {
    topic: "links",
    subject: `${kind} ${origin.host}`,
    title: `${name} of ${origin.host}`,
  } as const;
  if (!expected) {
    return {
      ...common,
      problems: [],
      state: "idle",
      evidence: [`Not set up: links open in the browser. Enter ${missing}.`],
      path: "/settings",
      action: "Open settings",
    };
  }
  const served = examineServed(await fetchFile(`${origin.origin}${path}`, file.maxBody), expected);
  const copied = served.state === "good" ? [await examineCopy(origin, file, expected)] : [];
  return {
    ...common,
    problems: [],
    // A store that cannot be reached from here says nothing about the file.
    state: copied.some(({ state }) => state === "hint") ? "hint" : served.state,
    evidence: [served.evidence, ...copied.map(({ evidence }) => evidence)],
    path: "/settings/domain",
    action: "Open domain",
  };
}

type Fetched = EgressResponse | EgressError;

async function fetchFile(url: string, maxBody: number): Promise<Fetched> {
  try {
    const request = { url, method: "GET", headers: { accept: "application/json" }, body: "" } as const;
    return await sendRequest(request, { timeoutMs: 5_000, maxBody });
  } catch (error) {
    if (error instanceof EgressError) return error;
    throw error;
  }
}

interface Examined {
  state: CheckState;
  evidence: string;
}

/** Phones follow no redirects and read JSON only. */
function examineServed(fetched: Fetched, expected: string[]): Examined {
  if (fetched instanceof EgressError) {
    const own = fetched.reason === "refused";
    return {
      state: own ? "idle" : "warning",
      evidence: own
        ? `Not fetched: phones reach public https addresses only. ${fetched.message}.`
        : `It cannot be fetched: ${fetched.message}.`,
    };
  }
  const { status, headers, body, ms } = fetched;
  if (status !== 200) {
    const to = headers.location ? ` and redirects to ${headers.location}, which phones do not follow` : "";
    return { state: "warning", evidence: `It returned ${status}${to}.` };
  }
  if (!headers["content-type"]?.startsWith("application/json")) {
    return {
      state: "warning",
      evidence: `It has the type ${headers["content-type"] ?? "none"}, not application/json.`,
    };
  }
  const absent = expected.filter((text) => !body.includes(`"${text}"`));
  if (absent.length > 0) return { state: "warning", evidence: `It does not contain ${absent.join(", ")}.` };
  return { state: "good", evidence: `Served in ${ms} ms, and contains ${expected[0]}.` };
}

/** Compares the store's copy, which may be a day old, so a difference is not a fault yet. */
async function examineCopy(origin: URL, file: LinkFile, expected: string[]): Promise<Examined> {
  const { store, copyUrl, maxBody } = file;
  const fetched = await fetchFile(copyUrl(origin), maxBody);
  if (fetched instanceof EgressError) {
    return { state: "idle", evidence: `${store} could not be reached: ${fetched.message}.` };
  }
  if (fetched.status !== 200) {
    return {
      state: "hint",
      evidence: `${store} returned ${fetched.status}: it has no file for this host yet.`,
    };
  }
  const squeezed = fetched.body.replaceAll(/\s/g, "");
  const absent = expected.filter((text) => !squeezed.includes(`"${text}"`));
  if (absent.length > 0) {
    return {
      state: "hint",
      evidence: `${store} still has an older file, without ${absent.join(", ")}. It is refreshed within about a day.`,
    };
  }
  return { state: "good", evidence: `${store} has it too.` };
}
