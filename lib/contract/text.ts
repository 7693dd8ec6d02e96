// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a text holds control characters, those of Latin-1 among them. */
export const hasControl = (text: string): boolean => CONTROL.test(text);
