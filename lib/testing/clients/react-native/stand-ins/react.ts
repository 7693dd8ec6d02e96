/** The state of the one component on the screen. */
let state: { metacode: string } | undefined;
let inputs: unknown[] = [];
let cleanUp: (() => void) | undefined;

const setState = (value: typeof state) => {
  state = value;
};

const shown = () => state;
const useState = () => [state, setState];

function useEffect(effect: () => typeof cleanUp, given: unknown[]): void {
  if (given.every((input, index) => input === inputs[index])) return;
  cleanUp?.();
  inputs = given;
  cleanUp = effect();
}

export { shown, useEffect, useState };
