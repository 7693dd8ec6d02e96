const stored = new Map<string, string>();

export default {
  getItem: async (key: string) => stored.get(key) ?? null,
  setItem: async (key: string, value: string) => void stored.set(key, value),
  removeItem: async (key: string) => {
    // A crash between the deletion of the key and the storing of the code would lose the code.
    if (key.startsWith("metacode/") && !stored.has(key.replace(/^metacode\/[^.]+/, "metacode.codes")))
      throw new Error("The key is deleted before the code is stored");
    stored.delete(key);
  },
};
