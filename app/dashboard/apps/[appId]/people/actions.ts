"use server";

import { inApp } from "@/lib/contract/fields";
import { joinInput, joinUids } from "@/lib/program/end-users/join";
import { endUserNotesInput, updateEndUserNotes } from "@/lib/program/referrers/update";
import { dashboardAction } from "@/lib/web/session/action";

export const joinUidsAction = dashboardAction("support", joinInput.extend(inApp), joinUids);

export const updateUserNotesAction = dashboardAction(
  "support",
  endUserNotesInput.extend(inApp),
  updateEndUserNotes,
);
