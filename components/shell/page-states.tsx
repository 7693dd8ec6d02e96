"use client";

import { usePathname } from "next/navigation";
import { ErrorPage, type ErrorProps } from "@/components/site/error-page";
import { SITE_LINKS, type SiteLink } from "@/components/site/links";
import { MissingPage } from "@/components/site/missing-page";
import { appOfPath, appPath, workspaceOfPath, workspacePath } from "./navigation";
import { SearchButton } from "./open-shell";

/** The page to continue from: the app or the workspace in the address, or all apps. */
function useStart(): SiteLink {
  const path = usePathname();
  const [appId, workspaceId] = [appOfPath(path), workspaceOfPath(path)];
  if (appId) return { href: appPath(appId), name: "Overview of this app" };
  if (workspaceId) return { href: workspacePath(workspaceId), name: "Team of this workspace" };
  return { href: "/dashboard", name: "Your apps" };
}

/** A missing page below a frame of the dashboard, which stays. */
export function MissingInFrame() {
  return (
    <MissingPage
      title="Page not found"
      links={[useStart(), { href: "/dashboard", name: "Your apps" }]}
      search={<SearchButton />}
      as="div"
    >
      <p>
        The address may be wrong, this may have been deleted, or your role does not include it. Search for
        users, campaigns, pages and guides, or go on from one of these pages.
      </p>
    </MissingPage>
  );
}

/** A missing app or workspace: the header stays. */
export function MissingInDashboard() {
  return (
    <MissingPage
      title="Page not found"
      links={[{ href: "/dashboard", name: "Your apps" }, SITE_LINKS.docs]}
      search={<SearchButton />}
      as="div"
    >
      <p>The address may be wrong, the page may be gone, or it belongs to a workspace that you are not in.</p>
    </MissingPage>
  );
}

/** An unexpected error of a page of the dashboard, whose frame stays. */
export function ErrorInFrame(props: ErrorProps & { heading?: "h2" }) {
  return <ErrorPage {...props} link={useStart()} search={<SearchButton />} as="div" />;
}

/** An unexpected error below the title of a section, which stays. */
export function ErrorInSection(props: ErrorProps) {
  return <ErrorInFrame {...props} heading="h2" />;
}
