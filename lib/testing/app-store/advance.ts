import { advanceClaimed, WORK_OPTIONS, type WorkOptions } from "@/lib/program/code-requests/advance";
import { claimCodeRequest } from "@/lib/program/code-requests/claim";
import type { Context } from "@/lib/tenants/context";

/** Leases a request for codes and works on it, as background work does. Of several concurrent callers, one does the work. */
export async function advanceRequest(
  ctx: Context,
  id: string,
  options: WorkOptions = WORK_OPTIONS,
): Promise<void> {
  const request = await claimCodeRequest(ctx, id);
  if (request) await advanceClaimed(ctx, request, options);
}
