import { randomUUID } from "node:crypto";
import { test } from "playwright/test";
import { buildSample, type SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { inDatabase } from "./database";
import { cookiesOf, type SessionCookie } from "./sign-in";

interface SampleOptions {
  codes?: number;
  threshold?: number;
  /** Whether the app is live instead of a sandbox. */
  live?: boolean;
}

/** Creates a workspace like `npm run sample`, which no other test changes, for exact comparisons of figures. */
export function makeSample({ codes = 1_000, threshold = 3, live = false }: SampleOptions = {}) {
  const name = randomUUID().slice(0, 8);
  const named = { workspace: `Sample ${name}`, app: "Sample app", email: `owner-${name}@example.com` };
  const options = { ...named, plan: "pro", codes, threshold, sandbox: !live } as const;
  return inDatabase((db) => buildSample(db, options));
}

/**
 * Creates a workspace for a file and signs its owner in for each of its tests, which run one after the other. To be
 * called at the top of the file.
 */
export function withSample(options?: SampleOptions): { readonly current: SampleWorkspace } {
  const own = {} as { current: SampleWorkspace };
  let cookies: SessionCookie[];
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async () => {
    own.current = await makeSample(options);
    cookies = await cookiesOf(own.current.owner);
  });
  test.beforeEach(({ context }) => context.addCookies(cookies));
  return own;
}
