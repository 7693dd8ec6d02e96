import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { appPath } from "@/components/shell/navigation";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { type AuditChange, type AuditLine, auditLabel } from "@/lib/contract/audit";

/** Entries of the audit log; each opens to show its changes. */
export function AuditList({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <ul
      aria-label="Audit log"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {lines.map((line) => (
        <li key={line.id}>
          <details className="group">
            <summary className="flex list-none items-start gap-3 px-4 py-2.5 text-sm hover:bg-subtle/60 [&::-webkit-details-marker]:hidden">
              <ChevronRight
                className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
                aria-hidden
              />
              <Summary line={line} />
            </summary>
            <Details line={line} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Summary({ line: { at, action, actor, subject, app } }: { line: AuditLine }) {
  return (
    <span className="grid min-w-0 flex-1 gap-x-6 gap-y-0.5 sm:grid-cols-[minmax(0,1fr)_auto]">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{auditLabel(action)}</span>
        {subject.name && <span>: {subject.name}</span>}
        <span className="block text-note text-muted">
          {actor}
          {app && ` in ${app.name}`}
        </span>
      </span>
      <span className="text-note text-muted tabular-nums">
        <LocalTime at={at} />
      </span>
    </span>
  );
}

function Details({ line: { id, address, action, member, subject, app, changes } }: { line: AuditLine }) {
  // An entry about a code stores the id of the referral or reward to which the code is assigned.
  const kind = subject.kind === "code" ? "referral or reward" : subject.kind;
  const named = <code>{`${kind} ${subject.id}`}</code>;
  const hasPage = subject.kind === "referral" && action !== "referral.released";
  const page = app?.exists && !app.sandbox && hasPage && `${appPath(app.id)}/referrals/${subject.id}`;
  const facts: Record<string, ReactNode> = {
    Action: <code>{action}</code>,
    ...(member && {
      Member: [member.email ?? "No longer in the team", " ", <code key="id">{member.id}</code>],
    }),
    ...(address !== undefined && {
      From: address === "unknown" ? "Unknown address" : (address ?? "The service"),
    }),
    Subject: page ? linked(page, named) : named,
    Entry: <code>{id}</code>,
    ...(app && { App: app.exists ? linked(appPath(app.id), app.name) : app.name }),
  };
  return (
    <div className="grid gap-4 px-4 pt-1 pb-4 sm:pl-11">
      <dl className="grid grid-cols-[6rem_1fr] gap-x-4 gap-y-1 text-note wrap-anywhere">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <AuditChanges changes={changes} />
    </div>
  );
}

const linked = (href: string, text: ReactNode) => (
  <Link href={href} className="underline underline-offset-2">
    {text}
  </Link>
);

/** The changed fields of an entry: the old value struck out, the new one beside it. */
function AuditChanges({ changes }: { changes: readonly AuditChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full text-note">
        <thead className="border-b border-line bg-subtle/50 text-left text-xs text-muted">
          <tr>
            {["Field", "Before", "After"].map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {changes.map(({ field, before, after }) => (
            <tr key={field} className="align-top">
              <th scope="row" className="px-3 py-1.5 text-left font-mono font-normal wrap-anywhere">
                {field}
              </th>
              <td className="px-3 py-1.5">
                <Value text={before} removed={after !== before} />
              </td>
              <td className="px-3 py-1.5">
                <Value text={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ text, removed = false }: { text: string | null; removed?: boolean }) {
  if (text === null) return <span className="text-muted">Nothing</span>;
  const look = "rounded-sm px-1 font-mono whitespace-pre-wrap wrap-anywhere";
  if (removed) return <del className={`${look} bg-bad-soft text-bad`}>{text}</del>;
  return <ins className={`${look} bg-good-soft text-good no-underline`}>{text}</ins>;
}
