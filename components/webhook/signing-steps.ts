/** The steps of a receiver that checks signatures. */
export const SIGNING_STEPS: readonly string[] = [
  "Store the secret on your server.",
  "Verify webhook-id, webhook-timestamp and webhook-signature over the raw body, with any Standard Webhooks library.",
  "Answer with a status of 200 to 299. Remember webhook-id: the same event may arrive more than once.",
];

/** A complete receiver that checks the signature. */
export const RECEIVER = `const { createServer } = require("node:http");
const { Webhook } = require("standardwebhooks");

const webhook = new Webhook("whsec_..."); // the signing secret

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    // The raw body: once parsed and serialised again it would not match.
    const event = webhook.verify(Buffer.concat(parts), request.headers);
    console.log(request.headers["webhook-id"], event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(8080);`;
