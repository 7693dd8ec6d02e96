import type { Metadata } from "next";
import { MissingPage } from "@/components/site/missing-page";

export const metadata: Metadata = { title: "Not found" };

export default function DashboardNotFound() {
  return (
    <MissingPage title="Page not found" href="/dashboard" link="Go to your apps" as="div">
      The address may be wrong, the page may be gone, or it belongs to a workspace that you are not in.
    </MissingPage>
  );
}
