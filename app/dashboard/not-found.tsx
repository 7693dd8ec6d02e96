import type { Metadata } from "next";
import { SITE_LINKS } from "@/components/site/links";
import { MissingPage } from "@/components/site/missing-page";

export const metadata: Metadata = { title: "Not found" };

export default function DashboardNotFound() {
  return (
    <MissingPage
      title="Page not found"
      links={[{ href: "/dashboard", name: "Your apps" }, SITE_LINKS.docs]}
      as="div"
    >
      <p>
        The address may be wrong, the page may be gone, or it belongs to a workspace that you are not in.
        Press ⌘K or Ctrl K to search.
      </p>
    </MissingPage>
  );
}
