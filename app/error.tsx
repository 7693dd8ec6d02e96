"use client";

import { ErrorPage, type ErrorProps } from "@/components/site/error-page";

export default function RootError(props: ErrorProps) {
  return <ErrorPage {...props} link={{ href: "/", name: "Home page" }} />;
}
