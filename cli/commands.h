/* One function for each subcommand. argv[0] is the subcommand's name. Returns the exit status: 0
 * all proved or exact; 1 a counterexample, or judges disagree about maps or reads; 2 unknown or out
 * of budget; 3 bad input, usage or environment, or judges disagree about values. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#define COMMAND(name, function, help) int function(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

#endif
