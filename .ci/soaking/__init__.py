"""Good and hostile load on a server for a while (see .ci/soak)."""
