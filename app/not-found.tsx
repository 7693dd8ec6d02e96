import type { Metadata } from "next";
import { MissingPage } from "@/components/site/missing-page";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <MissingPage title="Page not found" href="/" link="Go to the home page">
      The address may be wrong, or the page may be gone.
    </MissingPage>
  );
}
