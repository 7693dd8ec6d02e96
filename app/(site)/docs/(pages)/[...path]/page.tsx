import type { Metadata } from "next";
import { createKeyAction } from "@/app/dashboard/apps/[appId]/keys/actions";
import { Article } from "@/components/docs/article";
import { DocsText } from "@/components/docs/contents";
import { MissingDocsPage } from "@/components/docs/missing-page";
import { KeyReader } from "@/components/docs/sandbox-key";
import { TryIt } from "@/components/docs/try-it";
import { SHARE_PICTURE } from "@/components/site/links";
import { docsLibrary } from "@/lib/web/docs/library";
import { findDocsPage } from "@/lib/web/docs/page";
import { findReader } from "@/lib/web/session/queries";

type Props = { params: Promise<{ path: string[] }> };

const find = async ({ params }: Props) => findDocsPage(`/docs/${(await params).path.join("/")}`);

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await find(props);
  if (!page) return { title: "Not found", robots: { index: false } };
  const { title, description, href } = page;
  return {
    title,
    description,
    alternates: { canonical: href },
    openGraph: { title, description, url: href, images: [SHARE_PICTURE] },
  };
}

export default async function DocsArticlePage(props: Props) {
  const page = await find(props);
  if (!page) {
    const links = docsLibrary().groups.flatMap(({ pages }) =>
      pages.map(({ href, name }) => ({ href, name })),
    );
    return (
      <DocsText>
        <MissingDocsPage pages={links} />
      </DocsText>
    );
  }
  const { operation } = page;
  const { id, apps } = operation ? await findReader() : {};
  return (
    <DocsText headings={page.headings}>
      <KeyReader id={id}>
        <Article page={page}>
          {operation && <TryIt operation={operation} apps={apps} create={createKeyAction} />}
        </Article>
      </KeyReader>
    </DocsText>
  );
}
