import type { Metadata } from "next";
import { SearchForm } from "@/components/docs/result-page";
import { SiteHeader } from "@/components/site/header-footer";
import { SITE_LINKS } from "@/components/site/links";
import { MissingPage } from "@/components/site/missing-page";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <>
      <SiteHeader />
      <MissingPage
        title="Page not found"
        links={[{ href: "/", name: "Home page" }, SITE_LINKS.docs, SITE_LINKS.dashboard]}
      >
        <p>The address may be wrong, or the page may be gone. Search the documentation:</p>
        <div className="text-left">
          <SearchForm />
        </div>
      </MissingPage>
    </>
  );
}
