import type { MetadataRoute } from "next";
import { env } from "@/lib/env";

export const dynamic = "force-dynamic";

/** Invitations below /r say `noindex` themselves, which a robot that may not open them would never read. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/dashboard", "/api/", "/mailbox"] },
    sitemap: `${env().APP_URL}/sitemap.xml`,
  };
}
