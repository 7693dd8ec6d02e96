import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";

interface Props {
  title: string;
  href: string;
  link: string;
  /** `div` where the page around it has a main part already. */
  as?: "main" | "div";
  children: ReactNode;
}

/** A page that ends here, with a way on. */
export function Dead({ title, href, link, as: Part = "main", children }: Props) {
  return (
    <Part className="grid min-h-[70dvh] place-items-center px-5 text-center">
      <div className="grid max-w-sm justify-items-center gap-5">
        <div className="grid gap-1.5">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="text-sm text-muted">{children}</p>
        </div>
        <Link href={href} className={buttonClass({ variant: "secondary" })}>
          {link}
        </Link>
      </div>
    </Part>
  );
}
