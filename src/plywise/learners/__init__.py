"""Learners: what turns games into models. Each is one file with a configuration and a run."""
