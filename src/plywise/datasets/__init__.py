"""Data sets: positions of many games in memory-mapped arrays, for learners."""

from plywise.datasets.building import build_data_set
from plywise.datasets.data_set import BadDataSet, DataSet, open_data_set, open_data_sets
from plywise.datasets.sampling import Sampling

__all__ = [
    "BadDataSet",
    "DataSet",
    "Sampling",
    "build_data_set",
    "open_data_set",
    "open_data_sets",
]
