"""Runs: learners at work, each in a folder of its own."""

from plywise.runs.driver import (
    carry_on,
    champion_model,
    discard_unless_begun,
    keep_model,
    require_free,
    start,
)
from plywise.runs.learner import Learner, Step
from plywise.runs.run import Array, BadRun, Checkpoint, Run, list_runs
from plywise.runs.status import Status, read_status, request_stop

__all__ = [
    "Array",
    "BadRun",
    "Checkpoint",
    "Learner",
    "Run",
    "Status",
    "Step",
    "carry_on",
    "champion_model",
    "discard_unless_begun",
    "keep_model",
    "list_runs",
    "read_status",
    "request_stop",
    "require_free",
    "start",
]
