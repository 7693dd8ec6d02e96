import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";

export const dynamic = "force-dynamic";

/** Not disallowed: landing pages below /r carry `noindex`, which a robot sees only if it may open them. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/dashboard", "/api/", "/mailbox"] },
    sitemap: `${env().APP_URL}/sitemap.xml`,
  };
}
