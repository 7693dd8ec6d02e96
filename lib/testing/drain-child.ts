import { drainSpool } from "@/lib/confirmations/drain-spool";
import { database } from "@/lib/db/client";

/** Run as a process of its own by tests: takes in what waits in DATA_DIR, until it is killed. */
await drainSpool(database());
