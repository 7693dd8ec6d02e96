import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { NewWorkspaceForm } from "@/components/workspace/name-forms";
import { createWorkspaceAction } from "../actions";

export const metadata: Metadata = { title: "New workspace" };

export default function NewWorkspacePage() {
  return (
    <div className="grid grid-cols-1 gap-6 pt-8 pb-24">
      <PageHeader title="New workspace">
        A workspace has its own team, apps, plan and monthly quota. You become its owner.
      </PageHeader>
      <div className="max-w-md">
        <NewWorkspaceForm action={createWorkspaceAction} />
      </div>
    </div>
  );
}
