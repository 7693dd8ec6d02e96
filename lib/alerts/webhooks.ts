import type { Alert } from "@/lib/alerts/alert";
import { webhooksAttention } from "@/lib/attention/webhooks";
import type { Context } from "@/lib/context";

/** Endpoints that take nothing any more. */
export async function webhookAlerts(ctx: Context): Promise<Alert[]> {
  return (await webhooksAttention(ctx)).flatMap((item) =>
    item.kind === "webhook_failing"
      ? [
          {
            kind: "webhook_failing" as const,
            subject: item.id,
            title: `${item.name} does not take events`,
            detail:
              "Its deliveries are tried again for a day; after that they have to be sent again by hand.",
            path: `/webhooks/${item.id}`,
          },
        ]
      : [],
  );
}
