import Link from "next/link";
import { Facts } from "@/components/dashboard/facts";
import { Badge } from "@/components/ui/badge";

interface Props {
  app: {
    id: string;
    appleTeamId: string | null;
    iosBundleId: string | null;
    androidPackage: string | null;
    androidFingerprints: string[];
  };
  /** Where the app's links lead, without a slash at the end. */
  origin: string;
}

/** Whether phones are told that this app opens its links, and where they read it. */
export function PhoneLinks({ app, origin }: Props) {
  const ios = app.appleTeamId !== null && app.iosBundleId !== null;
  const android = app.androidPackage !== null && app.androidFingerprints.length > 0;
  const identity = `/dashboard/apps/${app.id}/settings`;
  return (
    <Facts
      facts={[
        file(
          "Universal links",
          ios,
          `${origin}/.well-known/apple-app-site-association`,
          "team and bundle ID",
          identity,
        ),
        file(
          "App links",
          android,
          `${origin}/.well-known/assetlinks.json`,
          "package and fingerprints",
          identity,
        ),
      ]}
    />
  );
}

function file(name: string, told: boolean, address: string, missing: string, identity: string) {
  return {
    name,
    value: told ? (
      <a href={address} className="min-w-0 text-accent underline underline-offset-2 break-all">
        {address}
      </a>
    ) : (
      <span className="text-muted">
        Set {missing} under{" "}
        <Link href={identity} prefetch={false} className="underline underline-offset-2">
          Identity
        </Link>
        .
      </span>
    ),
    action: told ? <Badge tone="good">Served</Badge> : <Badge>Not yet</Badge>,
  };
}
