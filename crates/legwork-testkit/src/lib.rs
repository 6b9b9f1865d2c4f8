//! Helpers for the tests; knows nothing of legwork.
