"use client";

import { SearchForm } from "@/components/docs/result-page";
import { ErrorPage, type ErrorProps } from "@/components/site/error-page";
import { SiteHeader } from "@/components/site/header-footer";

export default function RootError(props: ErrorProps) {
  return (
    <>
      <SiteHeader />
      <ErrorPage
        {...props}
        link={{ href: "/", name: "Home page" }}
        search={
          <div className="mt-3 w-full text-left">
            <SearchForm />
          </div>
        }
      />
    </>
  );
}
