"use client";

import { usePathname } from "next/navigation";
import { SearchForm } from "@/components/docs/result-page";
import { ErrorPage, type ErrorProps } from "@/components/site/error-page";
import { SiteHeader } from "@/components/site/header-footer";
import AuthLayout from "./(auth)/layout";

const AUTH_PAGE = /^\/(invite|reset|sign-in|sign-up|verify)(\/|$)/;
const HOME_LINK = { href: "/", name: "Home page" };

/** An unexpected error outside the dashboard, in the frame of the pages at its address. */
export default function RootError(props: ErrorProps) {
  const path = usePathname();
  if (AUTH_PAGE.test(path)) {
    return (
      <AuthLayout>
        <div className="*:min-h-0">
          <ErrorPage {...props} link={HOME_LINK} as="div" />
        </div>
      </AuthLayout>
    );
  }
  const search = (
    <div className="mt-3 w-full text-left">
      <SearchForm variant="secondary" />
    </div>
  );
  return (
    <>
      <SiteHeader />
      <ErrorPage {...props} link={HOME_LINK} search={search} />
    </>
  );
}
