import Link from "next/link";
import { CodeBlock } from "@/components/ui/code-block";
import type { Checklist } from "@/lib/contract/checklist";

const post = (url: string, body: object) =>
  `curl -s ${url} \\\n  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;

/** Two calls for a shell: a referrer, and a friend who redeems its metacode. */
export function FirstReferral({ checklist: { baseUrl, sandbox } }: { checklist: Checklist }) {
  const referrer = post(`${baseUrl}/referrer`, { uid: "anna", metadata: { name: "Anna" } });
  const redeem = post(`${baseUrl}/referee-redeem`, {
    ...{ referee_uid: "friend-1", metacode: "METACODE", platform: "ios" },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-[13px] text-muted">
      <p>1. Put the key into a variable and make a referrer. The answer has its metacode.</p>
      <CodeBlock text={`API_KEY=…\n${referrer}`} label="Copy the call that makes a referrer" />
      <p>2. Redeem it as a friend, with the metacode in place of METACODE.</p>
      <CodeBlock text={redeem} label="Copy the call that redeems a metacode" />
      <p>
        {sandbox
          ? "This is a sandbox, so upload made-up codes and try as often as you like."
          : "This gives away a real code of your pool. With the metacode test123 the answer has the same shape and nothing is given or stored, so the step stays open."}
      </p>
    </div>
  );
}

/** Where the test event comes from. */
export function FirstEvent({ appId, checklist }: { appId: string; checklist: Checklist }) {
  const { connection } = checklist;
  if (!connection) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-[13px] text-muted">
      <p>
        Give this address to {connection.label}, with the secret that{" "}
        <Link
          href={`/dashboard/apps/${appId}/providers/${connection.id}`}
          className="font-medium text-accent hover:underline"
        >
          its page
        </Link>{" "}
        shows, and send a test event. RevenueCat has a button for it in the settings of the webhook.
      </p>
      <CodeBlock text={connection.url} label="Copy the address for the provider" />
    </div>
  );
}

/** What a sandbox is for, and how to get from there to people. */
export function SandboxNote({ sandbox }: { sandbox: boolean }) {
  return (
    <p className="max-w-prose text-[13px] text-muted">
      {sandbox
        ? "A sandbox is an app like any other, with keys that begin with mc_test_. Purchases in the stores' own sandboxes confirm here, and only here; use them to try the whole way before people do."
        : "Purchases in the stores' own sandboxes confirm nothing in a live app. Try the whole way in a sandbox app first: its keys begin with mc_test_, and test purchases confirm there."}
    </p>
  );
}
