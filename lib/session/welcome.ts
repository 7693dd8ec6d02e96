import { connectElsewhere, type Identity, signInElsewhere } from "@/lib/accounts/elsewhere";
import { findPerson } from "@/lib/accounts/find-person";
import { database } from "@/lib/db/client";
import { env } from "@/lib/env";
import type { ErrorCode } from "@/lib/errors";
import { toAppError } from "@/lib/http/answer";
import { clientAddress } from "@/lib/http/client-address";
import { log } from "@/lib/log";
import { cookieLine, readCookie, returnPathOf } from "@/lib/session/auth-cookies";
import type { Welcome } from "@/lib/session/auth-options";
import { ACCOUNT_PAGE, codePage } from "@/lib/session/pages";
import { issueToken, readToken, STEP_SECONDS } from "@/lib/session/token";

/** Why it came to nothing, as the page is told: never words, which an address could put into anyone's mouth. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: "unverified",
  FORBIDDEN: "closed",
  CONFLICT: "taken",
};

/** Who comes back from elsewhere with this request: signed in, asked for the second factor, or connected. */
export function welcomeOf(request: Request, cookies: string[]): Welcome {
  return async (identity, user) => {
    const connecting = readCookie(request, "connect");
    try {
      if (connecting) return await finishConnect(request, connecting, identity, cookies);
      const { name, email } = { name: user.name ?? "", email: user.email ?? null };
      const next = returnPathOf(request);
      const arrival = { ...identity, name, email, address: clientAddress(request), next };
      const step = await signInElsewhere(database(), arrival);
      if ("signedIn" in step) return step.signedIn;
      cookies.push(cookieLine("step", await issueToken(step.owesCode, "step"), STEP_SECONDS));
      return env().APP_URL + codePage(next);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: error.cause ?? error }, "a sign-in from elsewhere failed");
      const page = connecting ? ACCOUNT_PAGE : "/sign-in";
      return `${env().APP_URL}${page}?error=${REASONS[error.code] ?? "elsewhere"}`;
    }
  };
}

/** Only the very session that asked to connect may: another person may have signed in here meanwhile. */
async function finishConnect(request: Request, connecting: string, identity: Identity, cookies: string[]) {
  cookies.push(cookieLine("connect", "", 0));
  const asked = await readToken(connecting, "connect");
  const session = await readToken(readCookie(request, "session"));
  const person = session && (await findPerson(database(), session));
  const page = env().APP_URL + ACCOUNT_PAGE;
  if (!person || asked?.id !== person.id) return page;
  await connectElsewhere(database(), person.id, identity);
  return page;
}
