import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { NewWorkspaceForm } from "@/components/workspace/new-workspace-form";
import { openWorkspaceAction } from "../actions";

export const metadata: Metadata = { title: "New workspace" };

export default function NewWorkspacePage() {
  return (
    <div className="mx-auto grid max-w-md gap-6 pt-8 pb-24 sm:pt-12">
      <PageHeader title="New workspace">
        A team of its own with its own apps, plan and monthly quota. You are its owner.
      </PageHeader>
      <NewWorkspaceForm action={openWorkspaceAction} />
    </div>
  );
}
