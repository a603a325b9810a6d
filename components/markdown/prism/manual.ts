// The library colours the whole page by itself, unless this is there before it.
Object.assign(globalThis, { Prism: { manual: true } });
