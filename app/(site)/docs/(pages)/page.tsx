import type { Metadata } from "next";
import { DocsText } from "@/components/docs/contents";
import { Link } from "@/components/ui/link";
import { listDescribedPages } from "@/lib/web/docs/library";

export const metadata: Metadata = {
  title: "Documentation",
  description: "From a clone to the first confirmed referral, a guide for every client, and how to run it.",
  alternates: { canonical: "/docs" },
};

/** All pages with their descriptions. */
export default async function DocsIndex() {
  const groups = await listDescribedPages();
  return (
    <DocsText>
      <div className="mx-auto grid max-w-3xl grid-cols-1 gap-10">
        <header className="grid gap-2">
          <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">Documentation</h1>
          <p className="max-w-xl text-pretty text-muted">
            Start with the quickstart: ten minutes from a clone to the first confirmed referral. Then follow
            the guide for your platform.
          </p>
        </header>
        {groups.map(({ name, pages }) => (
          <section key={name} className="grid gap-3">
            <h2 className="text-sm font-medium text-muted">{name}</h2>
            <ul className="grid gap-3 sm:grid-cols-2">
              {pages.map(({ href, name: title, description }) => (
                <li
                  key={href}
                  className="relative grid content-start gap-1 rounded-xl border border-line bg-surface p-4 hover:bg-subtle"
                >
                  <Link href={href} className="font-medium after:absolute after:inset-0">
                    {title}
                  </Link>
                  <p className="text-sm text-pretty text-muted">{description}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </DocsText>
  );
}
