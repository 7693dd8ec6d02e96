"use client";

import { usePathname } from "next/navigation";
import { SearchForm } from "@/components/docs/result-page";
import { DocsSearch } from "@/components/docs/search";
import { ErrorPage, type ErrorProps } from "@/components/site/error-page";
import { SiteHeader } from "@/components/site/header-footer";
import { SITE_LINKS } from "@/components/site/links";

export default function RootError(props: ErrorProps) {
  const docs = usePathname().startsWith(SITE_LINKS.docs.href);
  return (
    <>
      <SiteHeader wide={docs}>{docs && <DocsSearch />}</SiteHeader>
      <ErrorPage
        {...props}
        link={docs ? { href: SITE_LINKS.docs.href, name: "All pages" } : { href: "/", name: "Home page" }}
        search={
          <div className="mt-3 w-full text-left">
            <SearchForm />
          </div>
        }
      />
    </>
  );
}
