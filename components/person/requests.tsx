import { StatusCode } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { platformName } from "@/lib/contract/format";
import { MEANT_LABELS, type PersonRequest } from "@/lib/contract/person";

/** The requests that named a person, each with the typed input and the response. */
export function PersonRequests({ base, requests }: { base: string; requests: readonly PersonRequest[] }) {
  return (
    <ul
      aria-label="Requests"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {requests.map((request) => (
        <li key={request.id} className="grid gap-1 px-4 py-2.5 text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusCode status={request.status} />
            <Link
              href={`${base}/requests?id=${request.id}`}
              className="font-mono text-note underline hover:text-muted"
            >
              {request.path.replace(/^\/api/, "")}
            </Link>
            {request.errorCode && <code className="font-mono text-xs text-muted">{request.errorCode}</code>}
            <span className="text-note text-muted sm:ml-auto">
              <LocalTime at={request.at} shape="second" />
            </span>
          </p>
          <Typed base={base} request={request} />
          {request.message && <p className="text-note text-muted">{request.message}</p>}
        </li>
      ))}
    </ul>
  );
}

function Typed({ base, request }: { base: string; request: PersonRequest }) {
  const { metacode, platform, nearest, errorCode } = request;
  if (!metacode) return null;
  return (
    <p className="text-note">
      Typed <code className="font-mono wrap-anywhere">{metacode}</code>
      {platform && ` on ${platformName(platform)}`}
      {!nearest && errorCode === "METACODE_NOT_FOUND" && ", which resembles no metacode of this app"}
      {nearest && (
        <>
          , {MEANT_LABELS[nearest.by][0]}{" "}
          <Link href={`${base}/referrers/${nearest.id}`} className="font-medium underline">
            {nearest.name ? `${nearest.name}’s` : "the metacode"}{" "}
            <code className="font-mono">{nearest.metacode}</code>
          </Link>
          {MEANT_LABELS[nearest.closed ?? nearest.by][1]}
        </>
      )}
    </p>
  );
}
