import { findIcon } from "@/lib/apps/find-icon";
import { appOfHost } from "@/lib/domains/app-of-host";
import { pageMethods, withoutBody } from "@/lib/http/html";
import { imageResponse } from "@/lib/http/image";
import { textResponse } from "@/lib/http/text";

interface Given {
  params: Promise<{ appId: string; hash: string }>;
}

export async function GET(request: Request, { params }: Given): Promise<Response> {
  const { appId, hash } = await params;
  const owner = await appOfHost(request.headers.get("host"));
  const icon = owner === undefined || owner === appId ? await findIcon(appId, hash) : undefined;
  return icon ? imageResponse(icon) : textResponse(404, "There is no such icon");
}

export const HEAD = async (request: Request, given: Given): Promise<Response> =>
  withoutBody(await GET(request, given));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
