"use client";

import { unstable_isUnrecognizedActionError } from "next/navigation";
import type { ReactNode } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { SiteLink } from "./links";

/** The properties that the framework passes to an error page. */
export interface ErrorProps {
  error: Error & { digest?: string };
  /** Requests the page again; rendering alone would show an error of the server once more. */
  retry: () => void;
}

interface Props extends ErrorProps {
  /** The link for a reader whom a second try does not help. */
  link: SiteLink;
  /** The button that searches for another page. */
  search?: ReactNode;
  /** `div` inside a page that already has a main element. */
  as?: "main" | "div" | undefined;
  /** `h2` below the title of a section. */
  heading?: "h1" | "h2" | undefined;
}

/** The page for an unexpected error. The log has the cause under the same id. */
export function ErrorPage({ error, retry, link, search, as, heading }: Props) {
  // During a rollout, the page and the instance that received its form may be of different versions.
  const otherVersion: boolean = unstable_isUnrecognizedActionError(error);
  if (otherVersion) return <OtherVersion as={as} heading={heading} />;
  // The server renders error pages, too: Node has no `navigator` before version 21, and never its `onLine`.
  const offline = typeof navigator !== "undefined" && navigator.onLine === false;
  return (
    <Message
      as={as}
      heading={heading}
      title={offline ? "You are offline" : "Something went wrong on our side"}
      buttons={
        <>
          <Button onClick={retry}>Try again</Button>
          <Link href={link.href} className={buttonClass({ variant: "secondary" })}>
            {link.name}
          </Link>
          {search}
        </>
      }
    >
      {offline
        ? "The page could not be shown. Try again when you are connected."
        : "The page could not be shown. Try again in a moment."}
      {error.digest && (
        <span className="mt-1 block text-note">
          Error ID <code className="font-mono">{error.digest}</code>
        </span>
      )}
    </Message>
  );
}

function OtherVersion(frame: Pick<Props, "as" | "heading">) {
  return (
    <Message
      {...frame}
      title="Metacode is being updated"
      buttons={<Button onClick={() => window.location.reload()}>Reload page</Button>}
    >
      This page and the server are of different versions, so nothing was saved. Reload the page and try again.
    </Message>
  );
}

interface MessageProps extends Pick<Props, "as" | "heading"> {
  title: string;
  buttons: ReactNode;
  children: ReactNode;
}

function Message({ as: Tag = "main", heading: Heading = "h1", title, buttons, children }: MessageProps) {
  return (
    <Tag className="grid min-h-[60dvh] place-items-center px-5 text-center">
      <div className="grid max-w-sm justify-items-center gap-5">
        <div className="grid gap-1.5">
          <Heading className="text-xl font-semibold tracking-tight text-balance">{title}</Heading>
          <p className="text-sm text-balance text-muted">{children}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-2">{buttons}</div>
      </div>
    </Tag>
  );
}
