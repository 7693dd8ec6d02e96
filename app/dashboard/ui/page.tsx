import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/ui/page-header";
import { mailboxEnabled } from "@/lib/platform/email/mailbox";
import { Parts } from "./parts";

export const metadata: Metadata = { title: "Parts of the interface" };

/** Every part of `components/ui` in every state. Shown where the mailbox is shown: in development and in tests. */
export default function PartsPage() {
  if (!mailboxEnabled()) notFound();
  return (
    <div className="grid gap-6 py-8">
      <PageHeader title="Parts of the interface">
        Every part in every state. The button in the header switches between light and dark.
      </PageHeader>
      <Parts />
    </div>
  );
}
