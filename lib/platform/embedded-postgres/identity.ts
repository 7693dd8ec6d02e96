import { chown, readFile, stat } from "node:fs/promises";
import { type Program, run } from "@/lib/platform/embedded-postgres/run";

/** The user that the server runs as: PostgreSQL refuses to be root. */
export interface Identity {
  /** Arguments before the command, such as `unshare --user ...`. */
  prefix: string[];
  /** The user of the spawned process; only where root becomes another user. */
  uid?: number;
  gid?: number;
}

interface Account {
  name: string;
  uid: number;
  gid: number;
}

const ACCOUNTS = ["postgres", "nobody", "daemon"];

/**
 * Chooses how to run the server: as the current user; as root in a user namespace, where files stay root's and a
 * private home is no obstacle; else as an unprivileged system user. Throws a one-line `Error` if none works.
 */
export async function chooseIdentity(postgres: string, folder: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const accounts = await readAccounts();
  const namespace = namespaceIdentity(accounts);
  if (await works(namespace, postgres, folder)) {
    await takeOver(folder, 0, 0);
    return namespace;
  }
  for (const { uid, gid } of accounts.filter(({ name }) => ACCOUNTS.includes(name))) {
    await chown(folder, uid, gid);
    if (!(await works({ prefix: [], uid, gid }, postgres, folder))) continue;
    await takeOver(folder, uid, gid);
    return { prefix: [], uid, gid };
  }
  throw new Error(
    `PostgreSQL does not run as root, and no other user can reach ${folder}: start as another user or set DATABASE_URL`,
  );
}

/** initdb requires a user with a name, so the namespace borrows any account other than root. */
function namespaceIdentity(accounts: Account[]): Identity {
  const { uid, gid } = accounts[0] ?? { uid: 1000, gid: 1000 };
  return { prefix: ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`] };
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  const accounts = text.split("\n").map((line) => line.split(":"));
  return accounts
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
}

async function works(identity: Identity, postgres: string, folder: string): Promise<boolean> {
  const script = 'cd "$1" && test -w . && exec "$2" --version';
  const probe: Program = { command: "sh", args: ["-c", script, "sh", folder, postgres], identity };
  return run(probe).then(
    () => true,
    () => false,
  );
}

/** Transfers a folder from another identity to this one, for example after namespaces were disabled. */
async function takeOver(folder: string, uid: number, gid: number): Promise<void> {
  const owner = await stat(`${folder}/cluster`).catch(() => stat(folder));
  if (owner.uid === uid) return;
  await run({ command: "chown", args: ["-R", `${uid}:${gid}`, folder] });
}
