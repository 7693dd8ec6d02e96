import { database } from "@/lib/platform/db/client";
import { drainSpool } from "@/lib/program/confirmations/spool";

/** Run as a process of its own by tests: takes in what waits in DATA_DIR, until it is killed. */
await drainSpool(database());
