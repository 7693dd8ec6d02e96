import { Badge } from "@/components/ui/badge";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";

interface Props {
  app: {
    id: string;
    appleTeamId: string | null;
    iosBundleId: string | null;
    androidPackage: string | null;
    androidFingerprints: string[];
  };
  /** The origin of the app's links, without a trailing slash. */
  origin: string;
}

/** The files that let phones open links in the app, and whether they are served. */
export function AppLinks({ app, origin }: Props) {
  const ios = app.appleTeamId !== null && app.iosBundleId !== null;
  const android = app.androidPackage !== null && app.androidFingerprints.length > 0;
  const address = (name: string) => `${origin}/.well-known/${name}`;
  const identity = `/dashboard/apps/${app.id}/settings`;
  return (
    <Facts
      facts={[
        file("Universal links", ios, address("apple-app-site-association"), "team and bundle ID", identity),
        file("App links", android, address("assetlinks.json"), "package and fingerprints", identity),
      ]}
    />
  );
}

function file(name: string, served: boolean, address: string, missing: string, identity: string) {
  return {
    name,
    value: served ? (
      <a href={address} className="min-w-0 text-accent underline underline-offset-2 wrap-anywhere">
        {address}
      </a>
    ) : (
      <span className="text-muted">
        Set {missing} under{" "}
        <Link href={identity} className="underline underline-offset-2">
          Identity
        </Link>
        .
      </span>
    ),
    action: served ? <Badge tone="good">Served</Badge> : <Badge>Not set up</Badge>,
  };
}
