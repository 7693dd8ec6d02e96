import {
  BadgeCheck,
  Gift,
  MousePointerClick,
  PlugZap,
  RefreshCw,
  Ticket,
  Undo2,
  UserRound,
} from "lucide-react";
import Link from "next/link";
import { MatchedThrough } from "@/components/provider/matched-through";
import { CodeBlock } from "@/components/ui/code-block";
import { LocalTime } from "@/components/ui/local-time";
import type { CodeView, ReferralMoment } from "@/lib/contract/timeline";
import { Moment } from "./moment";
import { actionName, VERDICT_NAME } from "./words";

interface Props {
  base: string;
  moments: readonly ReferralMoment[];
}

/** Everything that happened to a referral, oldest first. */
export function ReferralTimeline({ base, moments }: Props) {
  return (
    <ol aria-label="Timeline">
      {moments.map((moment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several things happen in one moment
        <Line key={index} base={base} moment={moment} />
      ))}
    </ol>
  );
}

function Line({ base, moment }: { base: string; moment: ReferralMoment }) {
  const { at } = moment;
  switch (moment.kind) {
    case "clicked":
      return <Moment icon={MousePointerClick} at={at} title="The referral link was opened" />;
    case "code_given":
      return (
        <Moment
          icon={Ticket}
          at={at}
          title={<>A code was given {moment.code && <Masked code={moment.code} />}</>}
        >
          {moment.code && <Origin base={base} code={moment.code} />}
        </Moment>
      );
    case "code_replaced":
      return (
        <Moment
          icon={RefreshCw}
          at={at}
          title={<>The code was replaced {moment.old && <Masked code={moment.old} />}</>}
        >
          <p>{moment.reason}</p>
        </Moment>
      );
    case "event":
      return <EventLine event={moment} />;
    case "confirmed":
      return <Moment icon={BadgeCheck} tone="good" at={at} title="The referral was confirmed and counts" />;
    case "reversed":
      return (
        <Moment
          icon={Undo2}
          tone="bad"
          at={at}
          title={moment.byHand ? "Reversed by hand; it no longer counts" : "Refunded; it no longer counts"}
        />
      );
    case "reward":
      return (
        <Moment
          icon={Gift}
          tone="good"
          at={at}
          title={`Counted towards reward ${moment.rewardNumber} of the referrer`}
        >
          <p>
            {moment.status === "claimed"
              ? "That reward has been claimed."
              : "That reward waits to be claimed."}
          </p>
        </Moment>
      );
    case "audit":
      return <AuditMoment moment={moment} />;
  }
}

const Masked = ({ code }: { code: CodeView }) => <code className="font-mono">{code.code}</code>;

/** The batch that a code came from, its offer and until when it can be used. */
export function Origin({ base, code }: { base: string; code: CodeView }) {
  return (
    <p className="flex flex-wrap gap-x-3">
      <Link
        href={`${base}/codes/batches/${code.batchId}`}
        prefetch={false}
        className="underline hover:text-ink"
      >
        {code.origin ?? "Batch"}
      </Link>
      <span>{code.offer ? `Offer ${code.offer}` : "No named offer"}</span>
      <span>
        {code.expiresAt ? (
          <>
            Expires <LocalTime at={code.expiresAt} shape="day" />
          </>
        ) : (
          "No expiry"
        )}
      </span>
    </p>
  );
}

function EventLine({ event }: { event: Extract<ReferralMoment, { kind: "event" }> }) {
  return (
    <Moment
      icon={PlugZap}
      at={event.at}
      title={
        <>
          <code className="font-mono text-[13px]">{event.type}</code> {VERDICT_NAME[event.verdict]}
        </>
      }
    >
      {event.matchedBy && (
        <p className="flex flex-wrap items-center gap-x-2">
          Matched through <MatchedThrough matchedBy={event.matchedBy} />
        </p>
      )}
      <details>
        <summary className="w-fit rounded-sm py-1 hover:text-ink">What the provider sent</summary>
        <div className="pt-1.5">
          <CodeBlock text={event.payload} label={`Copy the payload of ${event.type}`} />
        </div>
      </details>
    </Moment>
  );
}

type Audit = Extract<ReferralMoment, { kind: "audit" }>;

/** What somebody of the team did, and the reason where one was asked for. */
export function AuditMoment({ moment }: { moment: Audit }) {
  const { reason } = moment.after ?? {};
  return (
    <Moment icon={UserRound} at={moment.at} title={`${moment.who} ${actionName(moment.action)}`}>
      {typeof reason === "string" && <p>{reason}</p>}
    </Moment>
  );
}
