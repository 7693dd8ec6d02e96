import { ArrowRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { CodeText } from "@/components/ui/code-text";
import { CopyButton } from "@/components/ui/copy-button";
import { ERROR_HELP } from "@/lib/contract/error-help";
import type { RequestLine } from "@/lib/contract/request-line";

interface Props {
  appPath: string;
  request: RequestLine;
  /** The name of its key or connection. */
  caller: string;
}

/** A request in full: why it was refused, what to do, and the id that support asks for. */
export function RequestDetails({ appPath, request, caller }: Props) {
  const { id, keyId, errorCode, message } = request;
  const help = errorCode === null ? undefined : ERROR_HELP[errorCode];
  return (
    <div className="grid gap-4 border-t border-line bg-subtle/40 px-4 py-4 text-sm sm:pl-11">
      {message && <p className="font-medium">{message}</p>}
      {help && (
        <dl className="grid max-w-3xl gap-2">
          <Detail name="Why">
            <CodeText text={help.why} />
          </Detail>
          <Detail name="What to do">
            <CodeText text={help.todo} />{" "}
            {help.section && (
              <Link
                href={`${appPath}${help.section.path}`}
                prefetch={false}
                className="inline-flex items-center gap-1 font-medium text-accent underline underline-offset-2"
              >
                {help.section.name}
                <ArrowRight className="size-3.5" aria-hidden />
              </Link>
            )}
          </Detail>
        </dl>
      )}
      <dl className="grid gap-2">
        <Detail name="Request id">
          <span className="inline-flex items-center gap-1">
            <code className="font-mono text-note break-all">{id}</code>
            <CopyButton text={id} label="Copy the request id" />
          </span>
        </Detail>
        <Detail name="Caller">
          <Link
            href={`${appPath}/requests?key=${keyId}`}
            prefetch={false}
            className="underline underline-offset-2"
          >
            {caller}
          </Link>
        </Detail>
      </dl>
    </div>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-4 gap-y-0.5 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <dt className="text-note text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
