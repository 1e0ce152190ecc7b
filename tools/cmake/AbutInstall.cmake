# Installation and the package that find_package(abut) and pkg-config find: filled in by the packaging work.
