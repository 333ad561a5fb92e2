/* Planted: a folder that the rules do not know. */
