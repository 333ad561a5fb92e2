# Read by cpack as it starts. dpkg-shlibdeps goes through the libraries that define a name in the order of a hash of Perl's, which is another one in each run:
# a name that libLLVM and libMLIR both define gave affirm-mlir a dependence on libllvm in some runs and not in others.
set(ENV{PERL_HASH_SEED} 0)
