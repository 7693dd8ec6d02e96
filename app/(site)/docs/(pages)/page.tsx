import type { Metadata } from "next";
import { DocsCards } from "@/components/docs/cards";
import { DocsFrame } from "@/components/docs/frame";
import { docsLibrary, listDescribedPages } from "@/lib/web/docs/library";

export const metadata: Metadata = {
  title: "Documentation",
  description: "From a clone to the first confirmed referral, a guide for every client, and how to run it.",
  alternates: { canonical: "/docs" },
};

export default async function DocsIndex() {
  return (
    <DocsFrame groups={docsLibrary().groups} current="/docs">
      <DocsCards groups={await listDescribedPages()} />
    </DocsFrame>
  );
}
