import { findIcon } from "@/lib/tenants/apps/icon";
import { appOfHost } from "@/lib/tenants/domains/hosts";
import { imageResponse, pageMethods, textResponse, withoutBody } from "@/lib/web/http/responses";
import { logFailure } from "@/lib/web/landing/look-up";

interface IconParams {
  params: Promise<{ appId: string; hash: string }>;
}

export async function GET(request: Request, { params }: IconParams): Promise<Response> {
  const { appId, hash } = await params;
  try {
    const owner = await appOfHost(request.headers.get("host"));
    const icon = owner === undefined || owner === appId ? await findIcon(appId, hash) : undefined;
    return icon ? imageResponse(icon) : textResponse(404, "There is no such icon");
  } catch (error) {
    logFailure(error, "an icon could not be looked up");
    return textResponse(503, "Try again shortly", { "Retry-After": "5" });
  }
}

export const HEAD = async (request: Request, context: IconParams): Promise<Response> =>
  withoutBody(await GET(request, context));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
