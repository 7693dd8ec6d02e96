import Link from "next/link";
import { Flow } from "@/components/site/flow";
import { SITE_LINKS } from "@/components/site/links";
import { SiteHeader } from "@/components/site/site-header";
import { buttonClass } from "@/components/ui/button";
import { findCurrentPerson } from "@/lib/session/person";

export default async function FrontPage() {
  const entrance = (await findCurrentPerson()) ? SITE_LINKS.dashboard : SITE_LINKS.signIn;
  return (
    <>
      <SiteHeader entrance={entrance} />
      <main className="mx-auto grid max-w-5xl gap-16 px-5 pt-16 pb-24 sm:gap-24 sm:px-8 sm:pt-28">
        <section className="grid max-w-2xl gap-6">
          <h1 className="text-4xl leading-[1.08] font-semibold tracking-tight text-balance sm:text-6xl">
            Referrals that end in a promo code
          </h1>
          <p className="max-w-xl text-lg text-pretty text-muted">
            Metacode gives every user of your mobile app one code to share. Friends redeem it for a real App
            Store or Google Play code, and rewards follow when they subscribe. Open source, on your own
            servers.
          </p>
          <div>
            <Link href={entrance.href} className={buttonClass({ size: "lg" })}>
              {entrance.name}
            </Link>
          </div>
        </section>
        <Flow />
      </main>
    </>
  );
}
