/* Whether a file that a command would write is one that it reads. Files are compared by device and
 * inode, so the spelling of a path, symbolic links and hard links do not matter. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

/* Whether a file of this name below a directory is read; depth 1: directly below it. */
typedef bool InputName(const char *name, int depth);
/* The names that most commands read: of modules, maps, cases and rules. */
[[nodiscard]] bool input_name_is_usual(const char *name, int depth);
/* The names of rules. */
[[nodiscard]] bool input_name_is_rules(const char *name, int depth);
/* Nothing below a directory. */
[[nodiscard]] bool input_name_is_none(const char *name, int depth);

/* Whether both paths name one file, which need not exist yet. Pipes and devices may be shared. */
[[nodiscard]] bool input_is_same_file(const char *a, const char *b);
/* Whether the path is a file that is read by reading `input`: that file, standard input for `-`, or
 * a file below that directory with a name that is read. False if one of them does not exist. */
[[nodiscard]] bool input_has(const char *input, InputName *reads, const char *path);

#endif
