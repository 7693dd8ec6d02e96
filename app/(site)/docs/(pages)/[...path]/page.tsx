import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Article } from "@/components/docs/article";
import { DocsFrame } from "@/components/docs/frame";
import { SHARE_PICTURE } from "@/components/site/share-picture";
import { docsLibrary } from "@/lib/docs/library";
import { openDocsPage } from "@/lib/docs/open-page";

interface Given {
  params: Promise<{ path: string[] }>;
}

const find = async ({ params }: Given) => openDocsPage(`/docs/${(await params).path.join("/")}`);

export async function generateMetadata(given: Given): Promise<Metadata> {
  const page = await find(given);
  if (!page) return { title: "Not found" };
  const { title, description, href } = page;
  return {
    title,
    description,
    alternates: { canonical: href },
    openGraph: { title, description, url: href, images: [SHARE_PICTURE] },
  };
}

export default async function DocsPage(given: Given) {
  const page = (await find(given)) ?? notFound();
  return (
    <DocsFrame groups={docsLibrary().groups} current={page.href} headings={page.headings}>
      <Article page={page} />
    </DocsFrame>
  );
}
