import type { Metadata } from "next";
import { DocsFrame } from "@/components/docs/frame";
import { MissingDocsPage } from "@/components/docs/missing-page";
import { docsLibrary } from "@/lib/web/docs/library";

export const metadata: Metadata = { title: "Not found" };

/** A missing page of the documentation, with the way to the others. */
export default function DocsNotFound() {
  return (
    <DocsFrame groups={docsLibrary().groups} current="">
      <MissingDocsPage />
    </DocsFrame>
  );
}
