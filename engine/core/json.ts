/** Plain JSON data: what may travel in a token or a database row. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
