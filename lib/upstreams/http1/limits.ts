/** The most bytes of a response's head, with all interim responses before it. */
export const headBytesMax = 64 * 1024;
/** The most header fields of a response, and of its trailers. */
export const fieldsMax = 100;
/** The most bytes of a chunk's size line. */
export const sizeLineBytesMax = 1024;
/** The most bytes of trailers. */
export const trailerBytesMax = 16 * 1024;

/** The read buffer of a connection: small while idle, larger while its reads fill it. */
export const bufferBytes = 16 * 1024;
export const bufferBytesMax = 64 * 1024;
/** Request bodies up to this size are joined with the head to one write. */
export const joinedBytesMax = 64 * 1024;

/** The longest that a connection stays idle: no longer than `fetch` trusts a host without a check. */
export const idleMsMax = 30_000;
/** The most idle connections to a host. */
export const idlePerHostMax = 256;
/** A stale connection fails at once; a later failure may be the end of a call that was served. */
export const staleMsMax = 1_000;
/** The most memory that a declared length reserves before the bytes arrive. */
export const wholeBytesMax = 1024 * 1024;
