"""The settings of `deepchess`; nothing heavy is imported here, for help is read from them."""

from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True)
class DeepchessSettings:
    """All settings of a run of `deepchess`; what is left open is the preset's."""

    data: str = ""
    """The folder of a data set, see plywise dataset; several are joined by +, and with *5 behind
    its folder each position of one counts five times."""
    kind: Literal["comparator", "scalar"] = "comparator"
    """comparator: which of two positions is better, the paper's; scalar: one number for each
    position (Bradley-Terry), for ordinary alpha-beta."""
    preset: Literal["modern", "paper"] = "modern"
    """modern: what learns well in an hour; paper: the sizes and schedules of the paper."""
    features: str = ""
    """Units of the layers that look at one position; paper: '600 400 200 100'."""
    head: str = ""
    """Units of the layers that compare two positions; paper: '400 200 100'."""
    small_features: str = ""
    """The same of the small network; paper: '100 100 100'."""
    small_head: str = ""
    """The same of the small network; paper: '100 100'."""
    hidden: str = "256 32"
    """Units of the one or two hidden layers of a scalar."""
    pretraining: int = -1
    """Epochs of each autoencoder; paper: 200."""
    epochs: int = -1
    """Epochs of the large network, or of the scalar; paper: 1000."""
    control: int = -1
    """Epochs of the small network from scratch."""
    mimicking: int = -1
    """Epochs in which the small features learn to be like the large ones."""
    distilling: int = -1
    """Epochs in which the small network learns the answers of the large one."""
    pairs: int = 0
    """Pairs of an epoch; paper: 1000000."""
    batch: int = 0
    """Pairs of a step."""
    pairings: int = 0
    """With how many others of its batch each position is compared; paper: 1."""
    rate: float = 0.0
    """Learning rate at first."""
    decay: float = 0.0
    """Factor of the learning rate after each epoch; 0: it falls to 1 % until the last one."""
    dropout: float = -1.0
    """Share of units that are left out at random while a network learns."""
    taught: float = 0.7
    """What teachers say of a pair, beside the results of its games: 0 results alone, 1 teachers
    alone. For data sets that were made with --teacher or --by-end."""
    reflect: bool = False
    """Exchange left and right in half of the positions, at random, where that changes nothing: in
    chess where nobody may castle any more. For games whose features have no `reflect`, refused."""
    held_out: float = 0.05
    """Share of games that no network learns from."""
    tested: int = 40000
    """Pairs by which accuracy is measured after every epoch."""
    threads: int = 1
    """Threads of PyTorch; another number may change the last bits of a run."""
    device: Literal["cpu", "auto"] = "auto"
    """auto: a GPU where there is one; only on the CPU is a run the same to the bit."""
    seed: int = 1
    """Everything random follows from it."""

    def settled(self) -> "DeepchessSettings":
        """Return the settings with everything that is left open taken from the preset."""
        chosen = PRESETS[self.preset]
        left_open: dict[str, Any] = {
            name: value for name, value in chosen.items() if getattr(self, name) == _OPEN[name]
        }
        if self.kind == "scalar":
            left_open |= {"pretraining": 0, "control": 0, "mimicking": 0, "distilling": 0}
        return replace(self, **left_open)


PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "features": "600 400 200 100",
        "head": "400 200 100",
        "small_features": "100 100 100",
        "small_head": "100 100",
        "pretraining": 200,
        "epochs": 1000,
        "control": 1000,
        "mimicking": 200,
        "distilling": 1000,
        "pairs": 1_000_000,
        "batch": 128,
        "pairings": 1,
        "rate": 0.01,
        "decay": 0.99,
        "dropout": 0.0,
    },
    "modern": {
        "features": "256 64 64",
        "head": "64 32",
        "small_features": "128 32 32",
        "small_head": "32 16",
        "pretraining": 1,
        "epochs": 36,
        "control": 12,
        "mimicking": 2,
        "distilling": 20,
        "pairs": 500_000,
        "batch": 1024,
        "pairings": 2,
        "rate": 0.001,
        "decay": 0.0,
        "dropout": 0.2,
    },
}
_OPEN = {name: getattr(DeepchessSettings, name) for name in PRESETS["paper"]}
