import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import { LocalTime, RelativeTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import type { SessionLine } from "@/lib/contract/session";

interface Props {
  sessions: readonly { session: SessionLine; current: boolean }[];
  end: FormAction<void>;
}

/** The browsers in which the user is signed in, this one first; each other one has a button that ends its session. */
export function SessionList({ sessions, end }: Props) {
  return (
    <ul className="-my-2 grid divide-y divide-line">
      {sessions.map(({ session, current }) => (
        <li key={session.id} className="flex min-h-14 items-center justify-between gap-3 py-2 text-sm">
          <span className="grid min-w-0 gap-0.5">
            <span className="flex flex-wrap items-center gap-2.5">
              <span className="font-medium">{browserName(session.userAgent)}</span>
              {current && <Badge tone="good">This browser</Badge>}
            </span>
            <span className="text-note text-muted">
              {session.address}, since <LocalTime at={session.createdAt} shape="day" />, last used{" "}
              <RelativeTime at={session.lastSeenAt} />
            </span>
          </span>
          {!current && (
            <ConfirmButton
              action={end}
              hidden={{ sessionId: session.id }}
              label="End"
              ariaLabel={`End the session of ${browserName(session.userAgent)} at ${session.address}`}
              look={{ size: "sm" }}
              title="End this session?"
              description={<p>That browser has to sign in again.</p>}
              submit="End session"
              done="The session was ended"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Names in a user agent, for browsers with the name to show. The first match counts, because Edge also calls itself Chrome. */
const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"];

function browserName(userAgent: string): string {
  const [, browser = "Another browser"] =
    Object.entries(BROWSERS).find(([part]) => userAgent.includes(part)) ?? [];
  const system = SYSTEMS.find((name) => userAgent.includes(name))?.replace("Mac OS", "macOS");
  return system ? `${browser} on ${system}` : browser;
}
