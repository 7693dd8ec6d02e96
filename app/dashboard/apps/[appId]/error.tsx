"use client";

import { ErrorPage, type ErrorProps } from "@/components/site/error-page";

/** Keeps the header and the navigation of the app. */
export default function AppPageError(props: ErrorProps) {
  return <ErrorPage {...props} link={{ href: "/dashboard", name: "Your apps" }} as="div" />;
}
