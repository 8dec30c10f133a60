/** Whether a host's name or address, as a server is told to listen at it, leads to this machine alone. */
export const isLoopback = (host: string): boolean => /^(localhost|127\.[0-9.]+|::1)$/i.test(host)
