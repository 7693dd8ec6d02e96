import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { SiteLink } from "./links";
import { ProductPictures } from "./product-pictures";

interface Props {
  links: readonly SiteLink[];
  /** Opens the demo, where the operator allows it. */
  enterDemo?: (form: FormData) => Promise<void>;
  /** The reason why the demo did not open. */
  notice?: string;
}

/** The product, readable in a minute. The first of `links` is the main one. */
export function Hero({ links, enterDemo, notice }: Props) {
  return (
    <section className="grid grid-cols-1 gap-12">
      <div className="grid max-w-3xl gap-6">
        <h1 className="text-4xl leading-[1.08] font-semibold tracking-tight text-balance sm:text-6xl">
          Referrals that end in a promo code
        </h1>
        <p className="max-w-2xl text-lg text-pretty text-muted">
          Metacode gives every user of your mobile app one code to share. Friends redeem it for a real App
          Store or Google Play code, and rewards follow when they subscribe. Open source, on your own servers.
        </p>
        <div className="flex flex-wrap gap-3">
          {links.map(({ href, name }, index) => (
            <Link
              key={href}
              href={href}
              className={buttonClass({ size: "lg", variant: index === 0 ? "primary" : "secondary" })}
            >
              {name}
            </Link>
          ))}
          {enterDemo && (
            <form action={enterDemo}>
              <button type="submit" className={buttonClass({ size: "lg", variant: "secondary" })}>
                Open the demo
              </button>
            </form>
          )}
        </div>
        {notice && <Callout tone="warn">{notice}</Callout>}
      </div>
      <ProductPictures />
    </section>
  );
}
