/* Seeded: a directory that the rules do not know. */
