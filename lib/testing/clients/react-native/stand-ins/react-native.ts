const Platform = { OS: "ios" };

export { Platform };
export const Share = {};
export const Text = {};
export const TouchableOpacity = {};
