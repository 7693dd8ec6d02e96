/** What `npm run sample -- --json` prints: a workspace of its own, running, with keys and codes. */
export interface Sample {
  base_url: string;
  landing_url: string;
  workspace_id: string;
  app_id: string;
  campaign_id: string;
  api_key: string;
  read_only_key: string;
  redeem_only_key: string;
  owner: { email: string; password: string };
  providers: Record<string, Record<string, string>>;
  pools: Record<string, unknown>;
}

/** The workspace that the start of the run made. */
export function sample(): Sample {
  return JSON.parse(process.env.E2E_SAMPLE ?? "") as Sample;
}
