"use client";

import { usePathname } from "next/navigation";
import { appOfPath, appPath } from "@/components/shell/navigation";
import { MissingPage } from "@/components/site/missing-page";

/** A missing page of an app, inside the app's own frame. */
export default function AppPageNotFound() {
  const appId = appOfPath(usePathname());
  return (
    <MissingPage
      title="Page not found"
      links={[
        { href: appId ? appPath(appId) : "/dashboard", name: "Overview of this app" },
        { href: "/dashboard", name: "Your apps" },
      ]}
      as="div"
    >
      <p>
        The address may be wrong, this may have been deleted, or your role does not include it. Press ⌘K or
        Ctrl K to find users, metacodes and pages.
      </p>
    </MissingPage>
  );
}
