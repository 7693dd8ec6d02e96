import type { Metadata } from "next";
import { DocsFrame } from "@/components/docs/frame";
import { ResultPage } from "@/components/docs/result-page";
import { docsLibrary } from "@/lib/web/docs/library";
import { searchDocs } from "@/lib/web/docs/search";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

interface Props {
  searchParams: Promise<{ q?: string | string[] }>;
}

export default async function DocsSearchPage({ searchParams }: Props) {
  const { q = "" } = await searchParams;
  const query = [q].flat().join(" ").trim();
  return (
    <DocsFrame groups={docsLibrary().groups} current="/docs/search">
      <ResultPage query={query} found={query === "" ? [] : await searchDocs(query)} />
    </DocsFrame>
  );
}
