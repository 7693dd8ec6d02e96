import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";

export const dynamic = "force-dynamic";

/** Landing pages below /r are not disallowed, because a robot sees their `noindex` only if it may open them. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/dashboard", "/api/", "/mailbox"] },
    sitemap: `${env().APP_URL}/sitemap.xml`,
  };
}
