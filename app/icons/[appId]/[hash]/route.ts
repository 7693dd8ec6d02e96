import { findIcon } from "@/lib/tenants/apps/icon";
import { appOfHost } from "@/lib/tenants/domains/hosts";
import { imageResponse, pageMethods, textResponse, withoutBody } from "@/lib/web/http/responses";

interface IconParams {
  params: Promise<{ appId: string; hash: string }>;
}

export async function GET(request: Request, { params }: IconParams): Promise<Response> {
  const { appId, hash } = await params;
  const owner = await appOfHost(request.headers.get("host"));
  const icon = owner === undefined || owner === appId ? await findIcon(appId, hash) : undefined;
  return icon ? imageResponse(icon) : textResponse(404, "There is no such icon");
}

export const HEAD = async (request: Request, context: IconParams): Promise<Response> =>
  withoutBody(await GET(request, context));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
