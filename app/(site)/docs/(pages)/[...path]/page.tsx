import type { Metadata } from "next";
import { createKeyAction } from "@/app/dashboard/apps/[appId]/keys/actions";
import { Article } from "@/components/docs/article";
import { DocsText } from "@/components/docs/contents";
import type { KeySource } from "@/components/docs/key-field";
import { MissingDocsPage } from "@/components/docs/missing-page";
import { TryIt } from "@/components/docs/try-it";
import { SHARE_PICTURE } from "@/components/site/links";
import { mayAct } from "@/lib/contract/workspace";
import { docsLibrary } from "@/lib/web/docs/library";
import { findDocsPage } from "@/lib/web/docs/page";
import { findAccountUser } from "@/lib/web/session/current-user";
import { listDestinations } from "@/lib/web/session/queries";

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

/** The sandbox apps for which the reader may create a key: none without the database, but the reader stays signed in. */
async function keySource(): Promise<KeySource> {
  const user = await findAccountUser().catch(() => null);
  if (!user) return { apps: user === null ? [] : undefined, create: createKeyAction };
  const { apps } = await listDestinations(user);
  const managed = new Set(user.workspaces.filter(({ role }) => mayAct(role, "admin")).map(({ id }) => id));
  const own = apps.filter(({ sandbox, workspaceId }) => sandbox && managed.has(workspaceId));
  return { apps: own.map(({ id, name }) => ({ id, name })), create: createKeyAction };
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
  return (
    <DocsText headings={page.headings}>
      <Article page={page}>
        {page.operation && <TryIt operation={page.operation} {...(await keySource())} />}
      </Article>
    </DocsText>
  );
}
