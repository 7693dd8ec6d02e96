"use client";

import { ErrorPage, type ErrorProps } from "@/components/site/error-page";

/** An unexpected error of a page of the documentation, whose search and list of pages stay. */
export default function DocsError(props: ErrorProps) {
  return <ErrorPage {...props} link={{ href: "/docs", name: "All pages" }} />;
}
