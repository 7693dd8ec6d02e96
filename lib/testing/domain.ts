import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { table, unknown } from "@/lib/cli/routes";
import { database } from "@/lib/platform/db/client";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { forgetSingleton } from "@/lib/platform/singleton";
import { appOfHost, forgetHosts } from "@/lib/tenants/domains/hosts";
import { serve } from "@/lib/web/server/serve";

/** Inserts a verified domain of an app directly. */
export async function assignDomain(appId: string, domain: string): Promise<void> {
  const { orm } = database();
  await orm.insert(landingDomains).values({ domain, appId });
  const landing = { landingDomain: domain, landingDomainVerifiedAt: new Date() };
  await orm.update(apps).set(landing).where(eq(apps.id, appId));
  forgetHosts();
  for (const cache of ["landing.invitations", "deep-links.files", "key-cache"]) forgetSingleton(cache);
}

interface HostAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  bytes: Buffer;
}

/** Starts our own server for requests with any Host header; in place of the framework's pages it answers `pages`. */
export async function hostServer() {
  const { server, drain } = await serve({
    table,
    ...(unknown && { unknown }),
    appOfHost,
    host: "127.0.0.1",
    port: 0,
    hops: 0,
    pages: async (_, outgoing) => void outgoing.writeHead(200).end("pages"),
  });
  const { port } = server.address() as AddressInfo;
  const ask = (host: string, path: string, method = "GET", headers: Record<string, string> = {}) =>
    new Promise<HostAnswer>((resolve, reject) => {
      request({ port, path, method, headers: { ...headers, host } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          const bytes = Buffer.concat(parts);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes.toString(), bytes });
        });
      })
        .on("error", reject)
        .end();
    });
  return { ask, close: drain };
}
