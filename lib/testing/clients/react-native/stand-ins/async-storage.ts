const stored = new Map<string, string>();

export default {
  getItem: async (key: string) => stored.get(key) ?? null,
  setItem: async (key: string, value: string) => void stored.set(key, value),
  removeItem: async (key: string) => void stored.delete(key),
};
