import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";

interface Props {
  title: string;
  href: string;
  link: string;
  /** `div` inside a page that already has a main element. */
  as?: "main" | "div";
  children: ReactNode;
}

/** A page that does not exist, with a link to one that does. */
export function MissingPage({ title, href, link, as: Tag = "main", children }: Props) {
  return (
    <Tag className="grid min-h-[70dvh] place-items-center px-5 text-center">
      <div className="grid max-w-sm justify-items-center gap-5">
        <div className="grid gap-1.5">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="text-sm text-muted">{children}</p>
        </div>
        <Link href={href} className={buttonClass({ variant: "secondary" })}>
          {link}
        </Link>
      </div>
    </Tag>
  );
}
