import { setTimeout as pause } from "node:timers/promises";
import { until } from "./program";
import type { DrillTarget } from "./report";
import { type DrillStage, ready } from "./stage";

interface Step {
  name: string;
  target: DrillTarget;
  /** Causes the failure. Resolves when it is over, or when the rest of the installation has to cope with it. */
  strike(stage: DrillStage, context: StepContext): Promise<void>;
  /** Repairs what was broken, under load. */
  repair?(stage: DrillStage): Promise<void>;
}

interface StepContext {
  /** The entry of the release that an upgrade starts. */
  next: string;
}

const FROZEN_S = 15;
const CUT_S = 10;
/** Seconds for which both versions serve. */
const SIDE_BY_SIDE_S = 8;

/** Kills the primary and waits until the standby has taken over, because the killed node must not come back earlier. */
async function killPrimary({ pair }: DrillStage): Promise<void> {
  const [primary, standby] = [await pair.primary(), await pair.replica()];
  await primary.kill();
  await until("the standby is the primary", () => standby.is("primary"));
}

/** Starts the killed node again, which then follows the new primary. */
async function restart({ pair }: DrillStage): Promise<void> {
  for (const node of pair.nodes) node.start();
  await pair.healthy();
}

async function freezeReplica({ pair }: DrillStage): Promise<void> {
  const replica = await pair.replica();
  await replica.freeze();
  await pause(FROZEN_S * 1_000);
  await replica.thaw();
}

async function killInstance({ second }: DrillStage): Promise<void> {
  await second.killAll();
}

async function startInstance({ second }: DrillStage): Promise<void> {
  second.launch();
  await ready(second);
}

/** Upgrades one instance after the other, as the upgrade guide says. */
async function upgrade({ first, second }: DrillStage, { next }: StepContext): Promise<void> {
  for (const instance of [first, second]) {
    const code = await instance.end("SIGTERM");
    if (code !== 0) throw new Error(`The instance ended with ${code}`);
    instance.replaceProgram(next);
    instance.launch();
    await ready(instance);
    await pause(SIDE_BY_SIDE_S * 1_000);
  }
}

/** Lets connections stay open while nothing arrives, then breaks them. */
async function cut({ proxy }: DrillStage): Promise<void> {
  proxy.stall(true);
  await pause(CUT_S * 1_000);
  proxy.cut();
  proxy.stall(false);
}

/** The failures of a drill, in their order. */
export const DRILL_STEPS: Step[] = [
  { name: "primary killed", target: { outageS: 20 }, strike: killPrimary, repair: restart },
  {
    name: "replica frozen",
    target: { outageS: 20 },
    strike: freezeReplica,
    repair: ({ pair }) => pair.healthy(),
  },
  {
    name: "Redis killed",
    target: { failed: 0 },
    strike: ({ redis }) => redis.killPrimary(),
    repair: ({ redis }) => redis.counted(),
  },
  { name: "instance killed", target: { failed: 0 }, strike: killInstance, repair: startInstance },
  { name: "instances upgraded", target: { failed: 0 }, strike: upgrade },
  { name: `network to the database cut for ${CUT_S} s`, target: { outageS: CUT_S + 5 }, strike: cut },
];
