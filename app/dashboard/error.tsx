"use client";

import { ErrorPage, type ErrorProps } from "@/components/site/error-page";

/** Keeps the header of the dashboard. */
export default function DashboardError(props: ErrorProps) {
  return <ErrorPage {...props} link={{ href: "/dashboard", name: "Your apps" }} as="div" />;
}
