/** The label of `meta.version` and of the header service-version. It moves with the contract, not with the package. */
export const SERVICE_VERSION = '2026-11'
