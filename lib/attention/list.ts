import { codesAttention } from "@/lib/attention/codes";
import { connectionsAttention } from "@/lib/attention/connections";
import { domainAttention } from "@/lib/attention/domain";
import { keysAttention } from "@/lib/attention/keys";
import { webhooksAttention } from "@/lib/attention/webhooks";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import type { PoolStock } from "@/lib/stats/stock";

/** What should be mended in an app, the most urgent first. Each question reads a bounded number of rows. */
export async function listAttention(ctx: Context, stock: PoolStock[]): Promise<Attention[]> {
  // One after the other: a page shall not take the connections that the API needs.
  return [
    ...(await codesAttention(ctx, stock)),
    ...(await connectionsAttention(ctx)),
    ...(await webhooksAttention(ctx)),
    ...(await domainAttention(ctx)),
    ...(await keysAttention(ctx)),
  ];
}
