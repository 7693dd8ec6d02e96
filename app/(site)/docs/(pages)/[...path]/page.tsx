import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Article } from "@/components/docs/article";
import { DocsFrame } from "@/components/docs/frame";
import { SHARE_PICTURE } from "@/components/site/links";
import { docsLibrary } from "@/lib/web/docs/library";
import { findDocsPage } from "@/lib/web/docs/page";

interface Props {
  params: Promise<{ path: string[] }>;
}

const find = async ({ params }: Props) => findDocsPage(`/docs/${(await params).path.join("/")}`);

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await find(props);
  if (!page) return { title: "Not found" };
  const { title, description, href } = page;
  return {
    title,
    description,
    alternates: { canonical: href },
    openGraph: { title, description, url: href, images: [SHARE_PICTURE] },
  };
}

export default async function DocsArticlePage(props: Props) {
  const page = (await find(props)) ?? notFound();
  return (
    <DocsFrame groups={docsLibrary().groups} current={page.href} headings={page.headings}>
      <Article page={page} />
    </DocsFrame>
  );
}
