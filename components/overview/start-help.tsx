import type { ReactNode } from "react";
import { Simulator } from "@/components/integration/simulator";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import type { Checklist } from "@/lib/contract/checklist";
import type { Platform } from "@/lib/contract/fields";

const post = (url: string, body: object) =>
  `curl -s ${url} \\\n  -H "x-api-key: $METACODE_KEY" -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;

interface FirstReferralProps {
  appId: string;
  checklist: Checklist;
  /** The app's stores, of which the simulation takes the first. */
  stores: readonly Platform[];
  /** Whether the role may run a simulation, and the steps that it needs are done. */
  mayRun: boolean;
}

/** In a sandbox, one button for the whole referral, with the commands below it; in a live app, only the commands. */
export function FirstReferral({ appId, checklist, stores, mayRun }: FirstReferralProps) {
  const { sandbox, done } = checklist;
  const commands = <ReferralCommands checklist={checklist} />;
  if (!sandbox || !mayRun) return done.referral ? null : commands;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Simulator appId={appId} stores={stores} mayRun />
      {!done.referral && (
        <details className="grid gap-3 text-note text-muted">
          <summary className="w-fit cursor-pointer rounded-sm py-1 hover:text-ink">
            Call the API yourself instead
          </summary>
          {commands}
        </details>
      )}
    </div>
  );
}

/** Two shell commands: create a referrer, and redeem its metacode as a friend. */
function ReferralCommands({ checklist: { baseUrl, sandbox } }: { checklist: Checklist }) {
  const referrer = post(`${baseUrl}/referrer`, { uid: "anna", metadata: { name: "Anna" } });
  const redeem = post(`${baseUrl}/referee-redeem`, {
    referee_uid: "friend-1",
    metacode: "METACODE",
    platform: "ios",
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-note text-muted">
      <p>1. Put the key into a variable and create a referrer. The response has its metacode.</p>
      <CodeBlock text={`METACODE_KEY=…\n${referrer}`} label="Copy the command that creates a referrer" />
      <p>2. Redeem it as a friend, with the metacode instead of METACODE.</p>
      <CodeBlock text={redeem} label="Copy the command that redeems a metacode" />
      <p>
        {sandbox
          ? "This is a sandbox: sample codes are enough, and you can try as often as you like."
          : "This assigns a real code of your pool. With the metacode test123 the response has the same shape, but no code is assigned or stored, so the step stays open."}
      </p>
    </div>
  );
}

interface FirstEventProps {
  appId: string;
  checklist: Checklist;
  /** The referee whose purchase can be tested, and the button that does it, in a sandbox. */
  test: { uid: string; button: ReactNode } | undefined;
}

/** The first purchase: a test in a sandbox, and the address for the provider's own. */
export function FirstEvent({ appId, checklist, test }: FirstEventProps) {
  const { connection, sandbox } = checklist;
  if (!connection) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-note text-muted">
      {test && (
        <div className="flex flex-wrap items-center gap-3">
          {test.button}
          <p>
            Reports a purchase of <strong className="font-medium text-ink">{test.uid}</strong> in the format
            of {connection.label}, as if the provider had sent it.
          </p>
        </div>
      )}
      {sandbox && !test && <p>A test purchase can be sent once the first referral has its code.</p>}
      <p>
        For purchases from {connection.label}, enter this address there, with the secret on{" "}
        <Link
          href={`/dashboard/apps/${appId}/providers/${connection.id}`}
          className="font-medium text-accent hover:underline"
        >
          its page
        </Link>
        .
      </p>
      <CodeBlock text={connection.url} label="Copy the address for the provider" />
    </div>
  );
}

/** The purpose of a sandbox app, and of testing in one before going live. */
export function SandboxNote({ sandbox }: { sandbox: boolean }) {
  return (
    <p className="max-w-prose text-note text-muted">
      {sandbox
        ? "A sandbox is an app like any other, with keys that begin with mc_test_. Purchases in the stores' own sandboxes confirm here, and only here; use them to test every step before your users do."
        : "Purchases in the stores' own sandboxes confirm nothing in a live app. Test every step in a sandbox app first: its keys begin with mc_test_, and test purchases confirm there."}
    </p>
  );
}
