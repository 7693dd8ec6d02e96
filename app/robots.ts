import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";

export const dynamic = "force-dynamic";

/** Landing pages below /r carry `noindex` themselves; a robot that may not open them would never see it. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/dashboard", "/api/", "/mailbox"] },
    sitemap: `${env().APP_URL}/sitemap.xml`,
  };
}
