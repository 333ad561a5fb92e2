# Read when cpack starts. dpkg-shlibdeps visits the libraries that define a name in the order of a Perl hash, which differs between runs. A name that
# libLLVM and libMLIR both define gave affirm-mlir a dependence on libllvm only in some runs.
set(ENV{PERL_HASH_SEED} 0)
