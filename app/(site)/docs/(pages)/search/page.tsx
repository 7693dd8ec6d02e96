import type { Metadata } from "next";
import { DocsText } from "@/components/docs/contents";
import { ResultPage } from "@/components/docs/result-page";
import { searchDocs } from "@/lib/web/docs/search";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

interface Props {
  searchParams: Promise<{ q?: string | string[]; decisions?: string }>;
}

export default async function DocsSearchPage({ searchParams }: Props) {
  const { q = "", decisions } = await searchParams;
  const shown = { decisions: decisions === "1" };
  const query = [q].flat().join(" ").trim();
  return (
    <DocsText>
      <ResultPage query={query} {...shown} found={query === "" ? [] : await searchDocs(query, shown)} />
    </DocsText>
  );
}
