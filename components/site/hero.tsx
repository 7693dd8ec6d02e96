import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { SITE_LINKS, type SiteLink } from "./links";

const AUDIENCES = [
  ["App owners", "who want users to invite friends, without handing user data to another company."],
  ["Mobile developers", "who integrate three API calls in an afternoon, with a guide for each platform."],
  ["Agencies", "who serve several apps or customers from one installation."],
];

/** The product and its audience, readable in a minute. */
export function Hero({ entrance }: { entrance: SiteLink }) {
  return (
    <section className="grid gap-10">
      <div className="grid max-w-3xl gap-6">
        <h1 className="text-4xl leading-[1.08] font-semibold tracking-tight text-balance sm:text-6xl">
          Referrals that end in a promo code
        </h1>
        <p className="max-w-2xl text-lg text-pretty text-muted">
          Metacode gives every user of your mobile app one code to share. Friends redeem it for a real App
          Store or Google Play code, and rewards follow when they subscribe. Open source, on your own servers.
        </p>
        <div className="flex flex-wrap gap-3">
          <Link href={SITE_LINKS.quickstart.href} className={buttonClass({ size: "lg" })}>
            Try it in ten minutes
          </Link>
          <Link href={entrance.href} className={buttonClass({ size: "lg", variant: "secondary" })}>
            {entrance.name}
          </Link>
        </div>
      </div>
      <dl className="grid gap-6 border-t border-line pt-8 sm:grid-cols-3">
        {AUDIENCES.map(([audience, benefit]) => (
          <div key={audience} className="grid content-start gap-1">
            <dt className="font-medium">{audience}</dt>
            <dd className="text-sm text-pretty text-muted">{benefit}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
